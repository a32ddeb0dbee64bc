// SPDX-License-Identifier: BSD-3-Clause
// Makes clang run the pass when the plug-in is loaded with -fplugin= alone.
#include <clang/AST/ASTConsumer.h>
#include <clang/Basic/CodeGenOptions.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendPluginRegistry.h>
#include <dlfcn.h>

#include "compiler/defer/pass.hpp"
#include "compiler/overlap/pass.hpp"
#include "compiler/plugin/session.hpp"

namespace windrow::compiler {

namespace {

clang::CompilerInstance* current = nullptr;

// The plug-in, from which clang takes the pass as with -fpass-plugin=.
std::string own_file() {
  Dl_info found;
  return ::dladdr(&current, &found) != 0 ? found.dli_fname : "";
}

class action : public clang::PluginASTAction {
 protected:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler,
                                                        llvm::StringRef) override {
    current = &compiler;
    compiler.getCodeGenOpts().PassPlugins.push_back(own_file());
    return std::make_unique<clang::ASTConsumer>();
  }

  // -fplugin-arg-windrow-ARGUMENT
  bool ParseArgs(const clang::CompilerInstance& compiler,
                 const std::vector<std::string>& arguments) override {
    for (llvm::StringRef argument : arguments) {
      if (argument.consume_front("without-"))
        defer::active_rules().leave_out(argument);
      else if (argument == "overlap")
        overlap::is_wanted() = true;
      else if (argument == "no-defer")
        defer::active_rules().defer = false;
      else if (argument == "no-fusion")
        defer::active_rules().fuse_at_owner = false;
      else if (argument == "no-vectorisation")
        defer::active_rules().vectorise = false;
      else {
        auto& diagnostics = compiler.getDiagnostics();
        diagnostics.Report(diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error,
                                                       "windrow: unknown plug-in argument '%0'"))
            << argument;
        return false;
      }
    }
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }
};

const clang::FrontendPluginRegistry::Add<action> registered_action("windrow", "deferred execution");

} // namespace

clang::CompilerInstance* current_compiler() {
  return current;
}

} // namespace windrow::compiler
