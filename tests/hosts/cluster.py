# SPDX-License-Identifier: BSD-3-Clause
"""Hosts made of name spaces of this machine: each has its own network, processes, /dev/shm, boot id and name. They are joined
in the name space of a login node, where the launcher runs: by a bridge, or with delay by switch.cpp. Needs root, unshare,
nsenter and ip."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import uuid

NETWORK = "10.77.0"
PREPARE = """
set -e
hostname "$2"
ip link set lo up
mount -t tmpfs tmpfs /dev/shm
mount --bind "$1/hosts" /etc/hosts
if [ "$2" != login ]; then mount -t proc proc /proc; fi
mount --bind "$1/$2.boot_id" /proc/sys/kernel/random/boot_id
echo ready
exec cat
"""


def why_not():
    """Why this machine cannot have such hosts, or an empty string."""
    for tool in ("unshare", "nsenter", "ip"):
        if shutil.which(tool) is None:
            return f"{tool} is not installed"
    attempt = "ip link add probe0 type veth && ip link add probe1 type bridge"
    done = subprocess.run(["unshare", "--net", "--mount", "--pid", "--fork", "sh", "-c", attempt], capture_output=True,
                          text=True, check=False)
    return "name spaces with veth and a bridge are not permitted here" if done.returncode else ""


def why_no_delay():
    """Why there can be no hosts with a delay between them, or nothing."""
    return why_not() or ("" if os.access("/dev/net/tun", os.R_OK | os.W_OK) else "there are no TAP devices (/dev/net/tun)")


class Cluster:
    """`count` hosts, node1 and so on. To be used with `with`; everything is gone afterwards."""

    def __init__(self, count, bound=False, switch=()):
        """`bound`: what is started through a remote shell stays on one processor, another one for each host.
        `switch`: the program `hosts_switch` and the delay from host to host in microseconds; without it there is a bridge."""
        self.count, self.bound, self.switch = count, bound, [str(word) for word in switch]
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="windrow_hosts_"))
        self.holders, self.pids, self.wires = [], {}, None

    def __enter__(self):
        names = ["login"] + [f"node{i}" for i in range(1, self.count + 1)]
        lines = ["127.0.0.1 localhost", f"{NETWORK}.254 login"]
        lines += [f"{NETWORK}.{i} node{i}" for i in range(1, self.count + 1)]
        (self.folder / "hosts").write_text("\n".join(lines) + "\n", encoding="ascii")
        try:
            self.hold(names[0], "--net", "--uts", "--mount")
            for name in names[1:]:
                self.hold(name, "--net", "--uts", "--ipc", "--mount", "--pid", "--fork")
            if self.switch:
                self.connect_by_switch()
            else:
                self.connect_by_bridge()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for holder in reversed(self.holders):  # cat ends with its input, and with it all processes of a host
            holder.stdin.close()
            holder.wait()
            holder.stdout.close()
        shutil.rmtree(self.folder)

    def keep(self, what, *command):
        """Starts what says "ready" and ends with its input, at the latest when all ends."""
        holder = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.holders.append(holder)
        if holder.stdout.readline() != "ready\n":
            raise RuntimeError(f"cannot set up {what}")
        return holder

    def hold(self, name, *spaces):
        (self.folder / f"{name}.boot_id").write_text(f"{uuid.uuid4()}\n", encoding="ascii")
        holder = self.keep(name, "unshare", *spaces, "--propagation", "private", "sh", "-c", PREPARE, "hold",
                           str(self.folder), name)
        with open(f"/proc/{holder.pid}/task/{holder.pid}/children", encoding="ascii") as children:
            self.pids[name] = int((children.read().split() or [holder.pid])[0])

    def connect_by_bridge(self):
        self.at_login("ip", "link", "add", "br0", "type", "bridge", "stp_state", "0", "forward_delay", "0")
        for i in range(1, self.count + 1):
            self.at_login("ip", "link", "add", f"v{i}", "type", "veth", "peer", "name", f"e{i}")
            self.at_login("ip", "link", "set", f"v{i}", "master", "br0", "up")
        self.give_addresses()

    def connect_by_switch(self):
        ports = ["br0", *(f"e{i}" for i in range(1, self.count + 1))]
        self.wires = self.keep("the switch", *self.command_at("login", *self.switch, *ports))
        self.give_addresses()

    def give_addresses(self):
        """To the login node's br0, and to e1 and so on, which become eth0 of their hosts."""
        self.at_login("ip", "addr", "add", f"{NETWORK}.254/24", "dev", "br0")
        self.at_login("ip", "link", "set", "br0", "up")
        for i in range(1, self.count + 1):
            node = f"node{i}"
            self.at_login("ip", "link", "set", f"e{i}", "netns", str(self.pids[node]))
            for words in (["link", "set", f"e{i}", "name", "eth0"], ["addr", "add", f"{NETWORK}.{i}/24", "dev", "eth0"],
                          ["link", "set", "eth0", "up"]):
                subprocess.run(self.command_at(node, "ip", *words), check=True)

    def binding(self, i):
        return f"taskset -c {i % os.cpu_count()}" if self.bound else ""

    def command_at(self, name, *words):
        spaces = ["-n", "-u", "-m"] if name == "login" else ["-n", "-u", "-i", "-m", "-p"]
        return ["nsenter", "-t", str(self.pids[name]), *spaces, "--", *words]

    def at_login(self, *words):
        subprocess.run(self.command_at("login", *words), check=True)

    def cut(self, i):
        """Host i hears nothing any more, and is not heard; nobody is told."""
        self.join(i, "cut", "down")

    def mend(self, i):
        self.join(i, "mend", "up")

    def join(self, i, at_switch, at_bridge):
        if self.switch:
            print(at_switch, f"e{i}", file=self.wires.stdin, flush=True)
        else:
            self.at_login("ip", "link", "set", f"v{i}", at_bridge)

    def remote_shell(self):
        """A program that launchers call like rsh."""
        cases = "\n".join(f"{name}) exec {self.binding(i)} {' '.join(self.command_at(name, 'sh', '-c'))} \"cd $PWD; $*\" ;;"
                          for i, name in enumerate(self.pids))
        path = self.folder / "rsh"
        path.write_text('#!/bin/sh\nwhile :; do case $1 in -l) shift 2 ;; -*) shift ;; *) break ;; esac; done\n'
                        f'host=$1; shift\ncase $host in\n{cases}\nesac\n', encoding="ascii")
        path.chmod(0o755)
        return str(path)

    def environment(self):
        """What makes launchers use these hosts."""
        return {"OMPI_MCA_plm_rsh_agent": self.remote_shell(), "OMPI_MCA_plm_rsh_no_tree_spawn": "1",
                "OMPI_MCA_oob_tcp_if_include": f"{NETWORK}.0/24", "OMPI_MCA_btl_tcp_if_include": f"{NETWORK}.0/24",
                "OMPI_MCA_btl": "self,vader,tcp", "UCX_NET_DEVICES": "eth0", "UCX_TLS": "tcp,posix,sysv,self",
                "HYDRA_LAUNCHER": "rsh", "HYDRA_LAUNCHER_EXEC": self.remote_shell(), "HYDRA_IFACE": "br0"}

    def launch(self, launcher, pes_per_host, *program):
        """The command that starts so many PEs on each host."""
        hosts = ",".join(f"node{i}:{pes_per_host}" for i in range(1, self.count + 1))
        pes = str(self.count * pes_per_host)
        if launcher.startswith("mpirun"):
            return self.command_at("login", launcher, "--mca", "plm_rsh_agent", self.remote_shell(), "--mca",
                                   "plm_rsh_no_tree_spawn", "1", "--mca", "oob_tcp_if_include", f"{NETWORK}.0/24",
                                   "--mca", "btl_tcp_if_include", f"{NETWORK}.0/24", "--mca", "btl", "self,vader,tcp",
                                   "-host", hosts, "-n", pes, *program)
        return self.command_at("login", "env", "UCX_NET_DEVICES=eth0", "UCX_TLS=tcp,posix,sysv,self", launcher, "-launcher",
                               "rsh", "-launcher-exec", self.remote_shell(), "-iface", "br0", "-hosts", hosts, "-n", pes,
                               *program)
