#include "armature/export/csv.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <locale>
#include <sstream>

#include "armature/base/number_text.h"
#include "armature/sim/simulator.h"

namespace armature::csv {
namespace {

namespace fs = std::filesystem;

/// Columns that read the number given as their index from a list.
const double samples[] = {0.1, -0.0, 1e-300, 1234567, std::nextafter(1.0, 2.0), infinity, -infinity, std::nan("")};
Column sample(std::string name, std::size_t index) {
    return {std::move(name), [](const FrameRecord&, std::size_t i) { return samples[i]; }, index};
}

TEST(Csv, NumbersAreTheShortestThatReadBack) {
    std::vector<Column> columns;
    for (std::size_t i = 0; i < std::size(samples); ++i) columns.push_back(sample("c", i));
    std::string row;
    append_csv_row(row, columns, {});
    EXPECT_EQ(row, "0.1,-0,1e-300,1234567,1.0000000000000002,inf,-inf,nan\n");
}

TEST(Csv, TheGlobalLocaleDoesNotMatter) {
    struct Comma : std::numpunct<char> {
        char do_decimal_point() const override { return ','; }
        std::string do_grouping() const override { return "\3"; }
        char do_thousands_sep() const override { return '.'; }
    };
    const std::locale old = std::locale::global(std::locale(std::locale::classic(), new Comma));
    std::string row;
    append_csv_row(row, {sample("a", 0), sample("b", 3)}, {});
    std::locale::global(old);
    EXPECT_EQ(row, "0.1,1234567\n");
}

TEST(Csv, NamesThatNeedItAreQuoted) {
    EXPECT_EQ(csv_header({sample("time", 0), sample("link[1].at.x", 0), sample("a,b", 0), sample("say \"so\"", 0)}),
              "time,link[1].at.x,\"a,b\",\"say \"\"so\"\"\"\n");
    EXPECT_EQ(csv_header({}), "\n");
}

TEST(Csv, ARecordingComesBackBitForBit) {
    Spec spec;
    SolidSpec& ball = spec.add_solid("ball");
    ball.shapes.push_back({{}, Sphere{0.1}, {}, {}});
    ball.velocity = {1.0 / 3, 2, 0};
    ball.spin = {0.1, 0.2, 0.3};
    Simulator simulator(spec);
    simulator.start_recording();
    for (int i = 0; i < 20; ++i) simulator.advance();
    const auto columns = choose_columns(simulator.model(), {"time", "ball"});

    const fs::path file = fs::temp_directory_path() / ("armature-csv-test-" + std::to_string(::getpid()) + ".csv");
    write_csv(file, simulator.recording(), columns);
    std::ifstream in(file);
    std::string line;
    ASSERT_TRUE(std::getline(in, line));
    EXPECT_EQ(line + '\n', csv_header(columns));
    for (const FrameRecord& frame : simulator.recording().frames) {
        ASSERT_TRUE(std::getline(in, line));
        std::istringstream fields(line);
        for (const Column& column : columns) {
            std::string field;
            ASSERT_TRUE(std::getline(fields, field, ','));
            EXPECT_EQ(parse_number(field), column.of(frame)) << column.name;
        }
    }
    EXPECT_FALSE(std::getline(in, line));
    in.close();
    fs::remove(file);
}

TEST(Csv, AFileThatIsNotCommittedIsNotThere) {
    const fs::path file = fs::temp_directory_path() / ("armature-csv-test-" + std::to_string(::getpid()) + "-b.csv");
    {
        CsvFile csv(file, {sample("a", 0)});
        csv.add({});
    }
    EXPECT_FALSE(fs::exists(file));
    EXPECT_THROW(CsvFile(fs::temp_directory_path() / "no such folder" / "a.csv", {}), FileError);
}

}  // namespace
}  // namespace armature::csv
