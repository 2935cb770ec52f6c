// Counts the outcomes of the requests.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

struct Tally {
    // Seconds from the time at which a request was due until its response was complete.
    std::vector<double> good, refused;
    // The number of images in each second, counted from the first request.
    std::vector<std::size_t> goodBySecond;
    // Responses of any other kind, and requests that could not connect or lost their connection.
    std::size_t other = 0, unanswered = 0;
    // An example of each.
    std::string otherExample, unansweredExample;
    std::size_t sent = 0, connections = 0, maxConnections = 0;
    // The maximum delay between the due time and the sending of a request, in seconds, caused by the generator itself.
    double latest = 0;

    void print(double processorSeconds)
    {
        std::printf("{\"sent\": %zu, \"good\": %zu, \"refused\": %zu, \"other\": %zu, \"unanswered\": %zu, ", sent,
                    good.size(), refused.size(), other, unanswered);
        print("good_ms", good);
        print("refused_ms", refused);
        std::printf("\"good_by_second\": [");
        for (std::size_t i = 0; i < goodBySecond.size(); i++)
            std::printf("%s%zu", i ? ", " : "", goodBySecond[i]);
        std::printf("], \"connections\": %zu, \"max_connections\": %zu, \"latest_ms\": %.1f, \"processor\": %.2f, ",
                    connections, maxConnections, latest * 1e3, processorSeconds);
        std::printf("\"examples\": [\"%s\", \"%s\"]}\n", quoted(otherExample).c_str(),
                    quoted(unansweredExample).c_str());
    }

private:
    static void print(const char *name, std::vector<double> &times)
    {
        std::sort(times.begin(), times.end());
        auto at = [&](double share) {
            return times.empty() ? 0 : times[std::min(times.size() - 1, std::size_t(times.size() * share))] * 1e3;
        };
        std::printf("\"%s\": {\"p50\": %.2f, \"p99\": %.2f, \"max\": %.2f}, ", name, at(0.5), at(0.99), at(1));
    }

    static std::string quoted(const std::string &text)
    {
        std::string result;
        for (unsigned char character : text)
            result += character < 0x20 || character > 0x7e || character == '"' || character == '\\' ? ' ' : character;
        return result;
    }
};
