// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "tools/markup.hpp"
#include "tools/overlap/plan.hpp"

namespace windrow::overlap {

namespace {

constexpr const char* approval_head = R"(<style>
.plan th { text-align: left; font-weight: normal; color: var(--line); padding: 0 .6rem; }
.plan td { padding: .15rem .6rem; } .plan .time { text-align: right; font-variant-numeric: tabular-nums; }
</style>
<h2>The plan</h2>
<p>Waits that could be later, those that save most first. <code>windrow cc -foverlap-plan=plan.json</code> carries out what is approved here and saved.</p>
<noscript><p>Saving needs JavaScript; <code>windrow overlap plan --approve</code> writes the same file.</p></noscript>
<table class="plan">
<tr><th></th><th>wait in</th><th>call</th><th class="time">times</th><th class="time">waited ms</th><th class="time">saves ms</th><th>may be as late as before</th></tr>
)";

// The file is that of `windrow overlap plan --approve`: the same fields in the same order.
constexpr const char* approval_script = R"(<script>
"use strict";
{
  const plan = JSON.parse(document.getElementById("plan").textContent);
  const boxes = [...document.querySelectorAll("input[data-entry]")];
  const approve = () => {
    for (const box of boxes) {
      const entry = plan.entries[Number(box.dataset.entry)];
      entry.approved = box.checked && !("refused" in entry);
    }
    const approved = plan.entries.filter((entry) => entry.approved).length;
    document.getElementById("approved").textContent = `${approved} of ${plan.entries.length} approved`;
  };
  const save = () => {
    approve();
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([JSON.stringify(plan, null, 2) + "\n"], { type: "application/json" }));
    link.download = "plan.json";
    link.click();
  };
  const approveAll = () => {
    for (const box of boxes) box.checked = !box.disabled;
    approve();
  };
  for (const box of boxes) box.addEventListener("change", approve);
  document.getElementById("approve-all").addEventListener("click", approveAll);
  document.getElementById("save-plan").addEventListener("click", save);
  approve();
}
</script>
)";

std::string places_or_refusal(const plan_entry& one, const recording& run) {
  if (!one.refused.empty())
    return fmt::format("<span class=\"refused\">cannot be approved: {}</span>", tools::escaped(one.refused));
  std::string text;
  for (const auto& [until, times] : one.latest) {
    const auto place = until == end_of_program ? std::string() : " " + shown_place(run, until.site);
    text += fmt::format("{}{}{}", text.empty() ? "" : "<br>", shown_reason(until), tools::escaped(place));
  }
  return text;
}

std::string entry_row(const plan_entry& one, std::size_t number, const recording& run) {
  return fmt::format(
      "<tr><td><input type=\"checkbox\" id=\"entry{0}\" data-entry=\"{0}\"{1}{2}></td><td><label "
      "for=\"entry{0}\">{3}</label></td><td>{4}</td><td class=\"time\">{5}</td><td "
      "class=\"time\">{6}</td><td "
      "class=\"time\">{7}</td><td>{8}</td></tr>\n",
      number, one.approved ? " checked" : "", one.refused.empty() ? "" : " disabled", tools::escaped(one.id),
      name_of(one.what), one.times, milliseconds(one.waited_ns), milliseconds(one.saved_ns),
      places_or_refusal(one, run));
}

// As it stands in a script: nothing in it ends that.
std::string embedded(const std::string& json) {
  std::string text;
  for (const char c : json) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

} // namespace

std::string as_approval(const plan& of, const recording& run) {
  if (of.entries.empty()) return "<h2>The plan</h2>\n<p>No wait could be later and gain something.</p>\n";
  std::string text = approval_head;
  for (std::size_t i = 0; i < of.entries.size(); ++i) text += entry_row(of.entries[i], i, run);
  return text +
         "</table>\n<p><button type=\"button\" id=\"approve-all\">Approve all</button> <button "
         "type=\"button\" "
         "id=\"save-plan\">Save plan.json</button> <output id=\"approved\"></output></p>\n"
         "<script type=\"application/json\" id=\"plan\">" +
         embedded(as_json(of, run)) + "</script>\n" + approval_script;
}

} // namespace windrow::overlap
