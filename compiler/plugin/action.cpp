// SPDX-License-Identifier: BSD-3-Clause
// Makes clang run the pass when the plug-in is loaded with -fplugin= alone.
#include <clang/AST/ASTConsumer.h>
#include <clang/Basic/CodeGenOptions.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendPluginRegistry.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <dlfcn.h>

#include "compiler/comm/options.hpp"
#include "compiler/defer/pass.hpp"
#include "compiler/overlap/pass.hpp"
#include "compiler/overlap/plan.hpp"
#include "compiler/plugin/directives.hpp"
#include "compiler/plugin/function_texts.hpp"
#include "compiler/plugin/inline_functions.hpp"
#include "compiler/plugin/session.hpp"
#include "compiler/plugin/strict_reach.hpp"

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
    std::vector<std::unique_ptr<clang::ASTConsumer>> all;
    if (overlap::is_wanted()) all.push_back(hash_functions(compiler));
    all.push_back(refuse_declarations());
    all.push_back(find_strict_functions());
    all.push_back(find_inline_functions());
    return std::make_unique<clang::MultiplexConsumer>(std::move(all));
  }

  // -fplugin-arg-windrow-ARGUMENT
  bool ParseArgs(const clang::CompilerInstance& compiler,
                 const std::vector<std::string>& arguments) override {
    for (llvm::StringRef argument : arguments) {
      if (argument.consume_front("without-"))
        leave_out(argument);
      else if (argument == "comm" || argument.consume_front("comm="))
        read_comm(compiler, argument == "comm" ? "" : argument);
      else if (argument == "overlap")
        overlap::is_wanted() = true;
      else if (argument.consume_front("overlap-plan="))
        read_plan(compiler, argument.str());
      else if (argument == "no-defer")
        carries_out_defer = false;
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

  static void read_plan(const clang::CompilerInstance& compiler, const std::string& file) {
    static overlap::plan given;
    auto& diagnostics = compiler.getDiagnostics();
    overlap::is_wanted() = true;
    given = {};
    if (const auto wrong = overlap::read_plan(file, given); !wrong.empty())
      diagnostics.Report(diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, "-foverlap-plan: %0"))
          << wrong;
    else
      overlap::active_plan() = &given;
  }

  static void leave_out(llvm::StringRef rule) {
    if (rule == "guards") overlap::has_guards() = false;
    defer::active_rules().leave_out(rule);
    comm::active_options().leave_out(rule);
  }

  static void read_comm(const clang::CompilerInstance& compiler, llvm::StringRef list) {
    using engine = clang::DiagnosticsEngine;
    auto& diagnostics = compiler.getDiagnostics();
    if (const auto wrong = comm::active_options().read(list); !wrong.empty())
      diagnostics.Report(diagnostics.getCustomDiagID(engine::Error, "windrow: %0")) << wrong;
    else if (compiler.getCodeGenOpts().OptimizationLevel == 0)
      diagnostics.Report(diagnostics.getCustomDiagID(
          engine::Warning, "windrow: -fcomm does nothing at -O0; give -O1, -O2 or -O3 too"));
  }

  ActionType getActionType() override { return AddBeforeMainAction; }
};

const clang::FrontendPluginRegistry::Add<action> registered_action("windrow", "deferred execution");

} // namespace

clang::CompilerInstance* current_compiler() {
  return current;
}

} // namespace windrow::compiler
