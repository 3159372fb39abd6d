#include "command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "messages.h"

namespace armature::command {

namespace {

constexpr const char* main_examples =
    R"(    armature check scenes/chain.arm                 is the file all right? every error, with its place
    armature run scenes/chain.arm                   simulate, print the report
    armature run scenes/chain.arm --out chain.csv   the same, and keep the motion
    armature run scenes/chain.arm --set links=50 --time 3
    armature assemble scenes/four_bar.arm --out assembled.arm
    armature doctor scenes/four_bar.arm             what can move, what is held twice, what to change
    armature studio scenes/chain.arm                build, drag and watch it in the browser
    armature format -i scenes/chain.arm             put the text into its usual form
    armature list joints                            what can be said)";

constexpr const char* check_examples =
    R"(    armature check scenes/chain.arm
    armature check scenes/*.arm
    armature check scenes/chain.arm --set links=5   would this value be accepted?)";

constexpr const char* run_examples =
    R"(    armature run scenes/pendulum.arm
    armature run scenes/pendulum.arm --time 3 --dt 1/500 --out swing.csv
    armature run scenes/chain.arm --set links=5 --set link[3].mass=2
    armature run scenes/chain.arm --time 1 --out heights.csv --columns 'time,energy,link[*].at.y'
    armature run scenes/pendulum.arm --out - --columns time,energy | tail -n 1
    armature run scenes/pendulum.arm --out swing.glb           to look at, in Blender or any glTF viewer
    armature run scenes/pendulum.arm --json > report.json
    armature run scenes/pendulum.arm --max-gap 1e-3 || echo "a joint opened by more than 1 mm"
    armature run scenes/pendulum.arm --snapshot-at 2.5=half.snap
    armature run scenes/pendulum.arm --restore half.snap)";

constexpr const char* studio_examples =
    R"(    armature studio                                 a scene of the gallery
    armature studio scenes/chain.arm
    armature studio scenes/chain.arm --port 8123 --no-open

The page is served to this machine alone, under an address that has a fresh secret in it: keep that to yourself. Ctrl-C
ends it; what is not saved is kept beside the file and offered the next time.)";

constexpr const char* assemble_examples =
    R"(    armature assemble scenes/monocycle.arm                       do the joints hold? which do not?
    armature assemble scenes/monocycle.arm --out assembled.arm   the same scene with its solids in place)";

constexpr const char* doctor_examples =
    R"(    armature doctor scenes/peaucellier.arm                      mobility, freedoms, findings
    armature doctor scenes/peaucellier.arm --json               the same for a program
    armature doctor scenes/four_bar.arm --wiggle freedoms       and a small glb that shows each freedom)";

constexpr const char* format_examples =
    R"(    armature format scenes/chain.arm        the text in its usual form, comments kept
    armature format -i scenes/*.arm         the same, in the files themselves
    armature format --check scenes/*.arm    exit code 1 when a file is not in its usual form)";

constexpr const char* list_examples =
    R"(    armature list solvers
    armature list joints
    armature list language > language.md)";

constexpr const char* exit_codes =
    R"(    0   fine
    1   the run broke a stated bound, did not converge, or was interrupted
    2   bad usage, bad input, or a file that cannot be read or written)";

/// Help that leads with examples; those of an app are kept in its footer.
class Help : public CLI::Formatter {
  public:
    std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode) const override {
        const bool top = app->get_parent() == nullptr;
        std::string text = fmt::format("{}\n\nEXAMPLES\n{}\n", app->get_description(), app->get_footer());
        std::string usage = top ? "armature VERB [OPTIONS]" : fmt::format("armature {}", app->get_name());
        (void)name;
        std::string rows;
        for (const CLI::Option* option : app->get_options({})) {
            if (option->get_positional()) usage += fmt::format(" {}", option->get_option_text());
            rows += row(option->get_positional()
                            ? option->get_option_text()
                            : fmt::format("{} {}", option->get_name(false, true), option->get_option_text()),
                        option->get_description());
        }
        text += fmt::format("\nUSAGE\n    {}{}\n", usage, top ? "" : " [OPTIONS]");
        if (top) {
            text += "\nVERBS\n";
            for (const CLI::App* verb : app->get_subcommands({}))
                text += row(verb->get_name(), verb->get_description());
        }
        text += fmt::format("\nOPTIONS\n{}\nEXIT CODES\n{}\n", rows, exit_codes);
        if (top) text += "\n`armature VERB --help` tells about one verb.\n";
        return text;
    }

  private:
    static std::string row(std::string left, const std::string& right) {
        while (!left.empty() && left.back() == ' ') left.pop_back();
        return fmt::format("    {:<22} {}\n", left, right);
    }
};

/// Bad usage that the option library does not know about.
struct UsageError {
    std::string message;
    std::string hint;
};

/// An option that may be given several times and takes one value each time.
CLI::Option* repeated(CLI::App* app, const std::string& name, std::vector<std::string>& values,
                      const std::string& metavar, const std::string& help) {
    return app->add_option(name, values, help)->allow_extra_args(false)->option_text(metavar);
}

CLI::Option* single(CLI::App* app, const std::string& name, std::string& value, const std::string& metavar,
                    const std::string& help) {
    return app->add_option(name, value, help)->option_text(metavar);
}

std::vector<std::string> names_of_verbs(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* verb : app.get_subcommands({})) names.push_back(verb->get_name());
    return names;
}

std::vector<std::string> names_of_options(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options({}))
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    return names;
}

/// The parser was told to let unknown words pass, so that we can say more about them than that they are unknown.
void refuse_unknown(const CLI::App& app, const CLI::App* verb) {
    const CLI::App& asked = verb != nullptr ? *verb : app;
    const std::vector<std::string> extra = asked.remaining();
    for (const std::string& word : extra) {
        if (!word.starts_with("-") || word == "-") continue;
        const std::string name = word.substr(0, word.find('='));
        const std::string where = verb != nullptr ? " of armature " + verb->get_name() : std::string();
        throw UsageError{fmt::format("unknown option {}{}", name, where), suggestion(name, names_of_options(asked))};
    }
    if (extra.empty()) return;
    if (verb != nullptr) throw UsageError{fmt::format("one argument too many: {}", extra.front()), {}};
    std::string hint = suggestion(extra.front(), names_of_verbs(app));
    if (hint.empty() && extra.front().ends_with(".arm")) hint = fmt::format("armature run {}", extra.front());
    throw UsageError{fmt::format("unknown verb {}", extra.front()), hint};
}

void need(bool given, const std::string& verb, const std::string& what) {
    if (!given) throw UsageError{fmt::format("armature {} needs {}", verb, what), {}};
}

class Parser {
  public:
    Parser() {
        app_.formatter(std::make_shared<Help>());
        app_.footer(main_examples);
        app_.allow_extras();
        app_.set_help_flag("-h,--help", "this text");
        app_.set_version_flag("--version", "armature " ARMATURE_VERSION, "print the version");

        check_ = verb("check", "Read and compile scenes, tell everything that is wrong with them", check_examples);
        add_files(check_, checking_.files, "the scenes");
        add_settings(check_, checking_.settings);

        run_ = verb("run", "Simulate a scene and report how well it went", run_examples);
        add_scene(run_, running_.scene);
        single(run_, "--time", time_, "T", "simulate until T seconds, whatever the scene says");
        single(run_, "--dt", dt_, "DT", "time between frames, in seconds");
        single(run_, "--solver", solver_, "NAME", "one of `armature list solvers`");
        single(run_, "--max-gap", max_gap_, "G", "exit with 1 when a joint opens by more than this (m, rad)");
        repeated(run_, "--out,-o", running_.out, "FILE",
                 "write the motion: F.csv a table (- for stdout), F.glb for viewers; may be repeated");
        repeated(run_, "--columns", running_.columns, "A,B,...",
                 "what the CSV files hold: names, parts of names (rod.at), * for any")
            ->delimiter(',');
        single(run_, "--hashes", running_.hashes, "F.txt", "write a hash of the state after every frame");
        repeated(run_, "--snapshot-at", running_.snapshots, "T=FILE", "save the state at time T");
        single(run_, "--restore", running_.restore, "FILE", "start from a saved state instead of the scene's own");
        run_->add_flag("--json", running_.json, "print the report as JSON");
        run_->add_flag("-q,--quiet", running_.quiet, "no report, no progress; errors and the exit code only");

        assemble_ = verb("assemble", "Put the solids where the joints hold, without simulating", assemble_examples);
        add_scene(assemble_, assembling_.scene);
        single(assemble_, "--out,-o", assembling_.out, "F.arm",
               "write the scene with its solids in place, - for stdout");
        assemble_->add_flag("--json", assembling_.json, "print the result as JSON");

        doctor_ = verb("doctor", "What a mechanism can do, what is held twice or not at all, what to change",
                       doctor_examples);
        add_scene(doctor_, treating_.scene);
        single(doctor_, "--wiggle", treating_.wiggle, "DIR", "write a small glb into DIR for each freedom");
        doctor_->add_flag("--json", treating_.json, "print the report as JSON");

        format_ = verb("format", "Put the text of scenes into its usual form", format_examples);
        add_files(format_, formatting_.files, "the scenes, - for standard input");
        format_->add_flag("--check", formatting_.check, "change nothing; exit with 1 when a file would change");
        format_->add_flag("-i,--in-place", formatting_.in_place, "rewrite the files instead of printing them");

        studio_ = verb("studio", "Build, assemble, drag and watch a scene in the browser", studio_examples);
        studio_->add_option("file", working_.file, "the scene; made when it is saved")->option_text("FILE");
        studio_->add_option("--port", working_.port, "where to listen; any that is free")
            ->option_text("PORT")
            ->check(CLI::Range(0, 65535));
        studio_->add_flag("--no-open", working_.no_open, "only print the address");

        list_ = verb("list", "What can be said: solvers, joints, shapes, forces, schemes, language", list_examples);
        list_->add_option("what", listing_.what, "solvers, joints, shapes, forces, schemes or language")
            ->option_text("WHAT");
    }

    Invocation parse(int argc, const char* const* argv) {
        app_.parse(argc, argv);
        const std::vector<CLI::App*> chosen = app_.get_subcommands();
        const CLI::App* verb = chosen.empty() ? nullptr : chosen.front();
        refuse_unknown(app_, verb);
        if (verb == check_) {
            need(!checking_.files.empty(), "check", "a scene file");
            return checking_;
        }
        if (verb == run_) return finish_run();
        if (verb == assemble_) {
            need(!assembling_.scene.file.empty(), "assemble", "a scene file");
            if (assembling_.json && assembling_.out == "-") throw UsageError{"--json and --out - both want stdout", {}};
            return assembling_;
        }
        if (verb == doctor_) {
            need(!treating_.scene.file.empty(), "doctor", "a scene file");
            return treating_;
        }
        if (verb == format_) {
            need(!formatting_.files.empty(), "format", "a scene file");
            if (formatting_.check && formatting_.in_place)
                throw UsageError{"--check and --in-place exclude each other", {}};
            if (formatting_.files.size() > 1 && !formatting_.check && !formatting_.in_place)
                throw UsageError{"several files need --in-place or --check", {}};
            return formatting_;
        }
        if (verb == list_) return listing_;
        if (verb == studio_) return working_;
        throw UsageError{"what is to be done?", "armature --help"};
    }

    std::string help() const { return app_.help(); }

  private:
    CLI::App* verb(const std::string& name, const std::string& description, const std::string& examples) {
        CLI::App* app = app_.add_subcommand(name, description);
        app->footer(examples);
        app->allow_extras();
        app->set_help_flag("-h,--help", "this text");
        return app;
    }
    static void add_files(CLI::App* app, std::vector<std::string>& files, const std::string& help) {
        app->add_option("file", files, help)->option_text("FILE...");
    }
    static void add_settings(CLI::App* app, std::vector<std::string>& settings) {
        repeated(app, "--set", settings, "NAME=VALUE", "a parameter of the scene, or any value in it by name");
    }
    static void add_scene(CLI::App* app, SceneOptions& scene) {
        app->add_option("file", scene.file, "the scene")->option_text("FILE");
        add_settings(app, scene.settings);
    }

    RunOptions finish_run() {
        need(!running_.scene.file.empty(), "run", "a scene file");
        // Names for settings that every scene has. As settings their values may be expressions too: --dt 1/240.
        for (const Shorthand& shorthand :
             {Shorthand{"--time", "simulation.duration", time_}, Shorthand{"--dt", "simulation.dt", dt_},
              Shorthand{"--solver", "simulation.solver", solver_},
              Shorthand{"--max-gap", "simulation.max_gap", max_gap_}})
            if (!shorthand.value.empty()) running_.scene.shorthands.push_back(shorthand);
        if (!running_.columns.empty() && running_.out.empty())
            throw UsageError{"--columns says what --out writes, and there is no --out", {}};
        if (std::count(running_.out.begin(), running_.out.end(), "-") > 1)
            throw UsageError{"--out - can be given once only", {}};
        if (running_.json && std::count(running_.out.begin(), running_.out.end(), "-") > 0)
            throw UsageError{"--json and --out - both want stdout", {}};
        return running_;
    }

    CLI::App app_{"Armature " ARMATURE_VERSION ": build, assemble and simulate articulated structures", "armature"};
    CLI::App *check_ = nullptr, *run_ = nullptr, *assemble_ = nullptr, *doctor_ = nullptr, *format_ = nullptr,
             *list_ = nullptr, *studio_ = nullptr;
    CheckOptions checking_;
    RunOptions running_;
    AssembleOptions assembling_;
    DoctorVerbOptions treating_;
    FormatOptions formatting_;
    ListOptions listing_;
    StudioVerbOptions working_;
    std::string time_, dt_, max_gap_, solver_;
};

}  // namespace

std::variant<Invocation, ExitCode> parse_command_line(int argc, const char* const* argv, const Terminal& terminal) {
    Parser parser;
    try {
        return parser.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
        print_data(parser.help());
        return fine;
    } catch (const CLI::CallForVersion& version) {
        print_data(fmt::format("{}\n", version.what()));
        return fine;
    } catch (const CLI::ParseError& error) {
        say_error(terminal, error.what());
    } catch (const UsageError& error) {
        say_error(terminal, error.message, error.hint);
    }
    return unusable;
}

}  // namespace armature::command
