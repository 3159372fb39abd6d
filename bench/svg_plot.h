// Line plots with logarithmic axes as SVG, for the figures of the docs. No more than those need.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace armature::bench {

struct Curve {
    std::string name;
    std::vector<std::pair<double, double>> points;  ///< both positive
};

struct Plot {
    std::string title, x_label, y_label;
    std::vector<Curve> curves;
};

inline std::string to_svg(const Plot& plot) {
    constexpr double width = 760, height = 420, left = 86, right = 214, top = 40, bottom = 50;
    const char* colours[] = {"#1f6fb4", "#d1542b", "#3a9a4b", "#8a5bb0", "#b08a2e", "#555555"};
    double x0 = 1e300, x1 = 0, y0 = 1e300, y1 = 0;
    for (const Curve& c : plot.curves)
        for (const auto& [x, y] : c.points) {
            x0 = std::min(x0, x), x1 = std::max(x1, x);
            y0 = std::min(y0, y), y1 = std::max(y1, y);
        }
    const double lx0 = std::floor(std::log10(x0)), lx1 = std::ceil(std::log10(x1));
    const double ly0 = std::floor(std::log10(y0)), ly1 = std::ceil(std::log10(y1));
    const auto px = [&](double x) {
        return left + (width - left - right) * (std::log10(x) - lx0) / std::max(1.0, lx1 - lx0);
    };
    const auto py = [&](double y) {
        return height - bottom - (height - top - bottom) * (std::log10(y) - ly0) / std::max(1.0, ly1 - ly0);
    };
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n<text x=\"{2}\" y=\"22\" font-size=\"15\">{3}</text>\n",
        width, height, left, plot.title);
    for (double e = lx0; e <= lx1; ++e) {
        const double x = px(std::pow(10, e));
        svg += fmt::format(
            "<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\" stroke=\"#ddd\"/><text x=\"{0:.1f}\" y=\"{3}\" "
            "text-anchor=\"middle\">{4:g}</text>\n",
            x, top, height - bottom, height - bottom + 18, std::pow(10, e));
    }
    for (double e = ly0; e <= ly1; ++e) {
        const double y = py(std::pow(10, e));
        svg += fmt::format(
            "<line x1=\"{1}\" x2=\"{2}\" y1=\"{0:.1f}\" y2=\"{0:.1f}\" stroke=\"#ddd\"/><text x=\"{3}\" y=\"{4:.1f}\" "
            "text-anchor=\"end\">{5:g}</text>\n",
            y, left, width - right, left - 6, y + 4, std::pow(10, e));
    }
    for (std::size_t i = 0; i < plot.curves.size(); ++i) {
        const Curve& c = plot.curves[i];
        std::string path;
        for (const auto& [x, y] : c.points)
            path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "" : " ", px(x), py(y));
        const double y = top + 16 + 20 * static_cast<double>(i);
        svg += fmt::format(
            "<polyline fill=\"none\" stroke=\"{0}\" stroke-width=\"2\" points=\"{1}\"/>\n<line x1=\"{2}\" x2=\"{3}\" "
            "y1=\"{4}\" y2=\"{4}\" stroke=\"{0}\" stroke-width=\"2\"/><text x=\"{5}\" y=\"{6}\">{7}</text>\n",
            colours[i % 6], path, width - right + 10, width - right + 34, y, width - right + 40, y + 4, c.name);
    }
    svg += fmt::format(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n<text transform=\"translate(18 {}) rotate(-90)\" "
        "text-anchor=\"middle\">{}</text>\n</svg>\n",
        (left + width - right) / 2, height - 12, plot.x_label, (top + height - bottom) / 2, plot.y_label);
    return svg;
}

}  // namespace armature::bench
