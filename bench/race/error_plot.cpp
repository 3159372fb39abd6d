#include "error_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace armature::race {
namespace {

constexpr double width = 890, height = 460, left = 80, right = 220, top = 48, bottom = 56;
constexpr double floor_error = 1e-10, ceiling_error = 1;  // joints that hold by construction are drawn on the floor

// [Okabe & Ito 2008], which people with any colour vision tell apart, without the yellow that vanishes on white. Markers
// tell the same once more.
constexpr const char* colours[] = {"#d55e00", "#0072b2", "#009e73", "#cc79a7", "#000000", "#56b4e9",
                                   "#e69f00", "#7f7f7f", "#882255", "#44aa99", "#332288"};
constexpr int colour_count = static_cast<int>(std::size(colours));
constexpr int marker_count = 5;

std::string marker(int style, double x, double y) {
    const char* colour = colours[style % colour_count];
    switch (style % marker_count) {
        case 0:
            return fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"/>", x, y, colour);
        case 1:
            return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"7\" height=\"7\" fill=\"{}\"/>", x - 3.5,
                               y - 3.5, colour);
        case 2:
            return fmt::format("<path d=\"M{:.1f} {:.1f}l4.5 8h-9z\" fill=\"{}\"/>", x, y - 5, colour);
        case 3:
            return fmt::format("<path d=\"M{:.1f} {:.1f}l5 5l-5 5l-5 -5z\" fill=\"{}\"/>", x, y - 5, colour);
        default:
            return fmt::format("<path d=\"M{:.1f} {:.1f}l4.5 -8h-9z\" fill=\"{}\"/>", x, y + 5, colour);
    }
}

/// The runs that no other of the same engine beats in both time and error, from fast to exact.
std::vector<std::pair<double, double>> front(std::vector<std::pair<double, double>> points) {
    std::sort(points.begin(), points.end());
    std::vector<std::pair<double, double>> result;
    for (const auto& p : points)
        if (result.empty() || p.second < result.back().second) result.push_back(p);
    return result;
}

struct Label {
    double x, y;  ///< of the last point of its line
    double at;    ///< where it is written
    const ErrorCurve* curve;
};

std::string labels(std::vector<Label> list) {
    std::sort(list.begin(), list.end(), [](const Label& a, const Label& b) { return a.y < b.y; });
    for (std::size_t i = 0; i < list.size(); ++i)
        list[i].at = std::max(list[i].y, i > 0 ? list[i - 1].at + 17 : top + 6);
    double lowest = height - bottom + 4;  // what ran over the edge is pushed back up
    for (std::size_t i = list.size(); i-- > 0; lowest = list[i].at - 17) list[i].at = std::min(list[i].at, lowest);
    std::string svg;
    for (const Label& l : list)
        svg += fmt::format(
            "<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\" stroke-width=\"0.7\" stroke-dasharray=\"2 3\"/>"
            "<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\"{}>{}</text>\n",
            l.x + 6, l.y, width - right + 8, l.at, colours[l.curve->style % colour_count], width - right + 12, l.at + 4,
            colours[l.curve->style % colour_count], l.curve->strong ? " font-weight=\"bold\"" : "", l.curve->name);
    return svg;
}

std::string power_of_ten(double exponent) {
    return fmt::format("10<tspan dy=\"-5\" font-size=\"9\">{:.0f}</tspan>", exponent);
}

}  // namespace

std::string error_plot(const std::string& title, const std::vector<ErrorCurve>& curves) {
    double x0 = 1e300, x1 = 0;
    for (const ErrorCurve& c : curves)
        for (const auto& [x, y] : c.points) x0 = std::min(x0, x), x1 = std::max(x1, x);
    if (!(x0 <= x1)) x0 = 0.1, x1 = 1;
    const double lx0 = std::floor(std::log10(x0)), lx1 = std::max(std::ceil(std::log10(x1)), lx0 + 1);
    const double ly0 = std::log10(floor_error), ly1 = std::log10(ceiling_error);
    const auto px = [&](double x) { return left + (width - left - right) * (std::log10(x) - lx0) / (lx1 - lx0); };
    const auto py = [&](double y) {
        const double ly = std::log10(std::clamp(y, floor_error, ceiling_error));
        return height - bottom - (height - top - bottom) * (ly - ly0) / (ly1 - ly0);
    };
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"sans-serif\" font-size=\"12\" fill=\"#222\">\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n<text x=\"{2}\" y=\"26\" font-size=\"15\">{3}</text>\n",
        width, height, left, title);
    for (double e = lx0; e <= lx1; ++e)
        svg += fmt::format(
            "<path d=\"M{0:.1f} {1}V{2}\" stroke=\"#ddd\"/><text x=\"{0:.1f}\" y=\"{3}\" "
            "text-anchor=\"middle\">{4:g}</text>\n",
            px(std::pow(10, e)), top, height - bottom, height - bottom + 18, std::pow(10, e));
    for (double e = ly0; e <= ly1; e += 1) {
        const double y = py(std::pow(10, e));
        const bool goal = e == -3 || e == -6;  // the two gaps that the tables ask for
        svg += fmt::format(
            "<path d=\"M{} {:.1f}H{}\" stroke=\"{}\"/><text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}{}</text>\n",
            left, y, width - right, goal ? "#888" : "#ddd", left - 8, y + 4, e == ly0 ? "≤ " : "", power_of_ten(e));
    }
    for (const auto& [goal, name] : {std::pair{1e-3, "1 mm"}, std::pair{1e-6, "1 µm"}})
        svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\" fill=\"#777\" font-size=\"11\">{}</text>\n", left + 4,
                           py(goal) - 4, name);
    std::vector<Label> list;
    for (const ErrorCurve& c : curves) {
        if (c.points.empty()) continue;
        const auto line = front(c.points);
        std::string path;
        for (const auto& [x, y] : line) path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "" : " ", px(x), py(y));
        svg += fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" points=\"{}\"/>\n",
                           colours[c.style % colour_count], c.strong ? 3 : 1.5, path);
        for (const auto& [x, y] : c.points) svg += marker(c.style, px(x), py(y));
        svg += "\n";
        list.push_back({px(line.back().first), py(line.back().second), 0, &c});
    }
    svg += labels(list);
    svg += fmt::format(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">ms per frame of 1/60 s</text>\n"
        "<text transform=\"translate(20 {}) rotate(-90)\" text-anchor=\"middle\">worst gap in all frames "
        "(m)</text>\n</svg>\n",
        (left + width - right) / 2, height - 14, (top + height - bottom) / 2);
    return svg;
}

}  // namespace armature::race
