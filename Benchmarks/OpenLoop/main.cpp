// Generates load from many addresses, at a rate that does not depend on the response times. It uses one thread and
// little processor time, because it shares the processors with the service under test.
//
//     open-loop PORT rate|clients NUMBER SECONDS own|kept IMAGE PATH…
//
// Sends POST requests with the image, or GET requests if IMAGE is -, to the paths in turn. `rate` sends NUMBER requests per
// second. `clients` runs NUMBER clients, each of which sends its next request when a response is complete. With `own`, each request
// uses a new connection. With `kept`, a request uses a free persistent connection, or a new one if none is free. Prints JSON,
// see tally.hpp. Durations start when a request is due, not when it can be sent.

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <memory>
#include <sys/epoll.h>
#include <sys/resource.h>

#include "exchange.hpp"
#include "tally.hpp"

using Seconds = std::chrono::duration<double>;
// The maximum wait for a response, and the wait of a client after a rejection.
static constexpr Seconds patience{60}, breather{0.05};

class Load {
public:
    Load(int port, bool keeps, std::vector<std::string> requests)
        : port(port), keeps(keeps), requests(std::move(requests)), epoll(epoll_create1(EPOLL_CLOEXEC))
    {
    }

    void run(bool isOpen, double number, double seconds)
    {
        begin = Clock::now();
        end = begin + std::chrono::duration_cast<Clock::duration>(Seconds(seconds));
        isClosedLoop = !isOpen;
        const Seconds interval(isOpen ? 1 / number : 0);
        if (!isOpen)
            later.assign(static_cast<std::size_t>(number), begin);
        while (true) {
            const auto now = Clock::now();
            Clock::time_point next = now + std::chrono::seconds(1);
            if (now < end && isOpen) {
                Clock::time_point due;
                while ((due = begin + std::chrono::duration_cast<Clock::duration>(interval * tally.sent)) <= now)
                    send(due);
                next = due;
            } else if (now < end) {
                auto waiting = std::move(later);
                later.clear();
                for (auto due : waiting)
                    if (due <= now)
                        send(due);
                    else
                        later.push_back(due);
                for (auto due : later)
                    next = std::min(next, due);
            } else if (busy == 0) {
                return;
            }
            wait(next);
            expire();
        }
    }

    Tally tally;

private:
    const int port;
    const bool keeps;
    const std::vector<std::string> requests;
    const int epoll;
    std::vector<std::unique_ptr<Exchange>> open;
    std::vector<Exchange *> idle;
    // The times when the clients send their next requests.
    std::vector<Clock::time_point> later;
    std::size_t busy = 0;
    bool isClosedLoop = false;
    Clock::time_point begin, end, lastLook;

    void send(Clock::time_point due)
    {
        const std::string &request = requests[tally.sent++ % requests.size()];
        tally.latest = std::max(tally.latest, Seconds(Clock::now() - due).count());
        Exchange *exchange = nullptr;
        busy++;
        if (!idle.empty()) {
            exchange = idle.back();
            idle.pop_back();
        } else {
            exchange = connect();
        }
        finish(exchange, exchange->begin(request, due));
    }

    Exchange *connect()
    {
        open.push_back(std::make_unique<Exchange>(port, tally.connections++));
        Exchange *exchange = open.back().get();
        exchange->index = open.size() - 1;
        tally.maxConnections = std::max(tally.maxConnections, open.size());
        epoll_event event{EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, {.ptr = exchange}};
        epoll_ctl(epoll, EPOLL_CTL_ADD, exchange->descriptor(), &event);
        return exchange;
    }

    void wait(Clock::time_point until)
    {
        epoll_event events[256];
        const auto rest = std::max(Clock::duration::zero(), until - Clock::now());
        const timespec timeout{rest / std::chrono::seconds(1), (rest % std::chrono::seconds(1)).count()};
        const int count = epoll_pwait2(epoll, events, 256, &timeout, nullptr);
        for (int i = 0; i < count; i++) {
            auto *exchange = static_cast<Exchange *>(events[i].data.ptr);
            finish(exchange, exchange->advance());
        }
    }

    void finish(Exchange *exchange, Exchange::State state)
    {
        if (state == Exchange::State::open)
            return;
        const bool wasIdle = state == Exchange::State::lost && !exchange->isBusy();
        if (!wasIdle) {
            busy--;
            note(*exchange, state);
        }
        if (state == Exchange::State::answered && keeps && exchange->keepsOpen)
            return idle.push_back(exchange);
        if (wasIdle)
            idle.erase(std::find(idle.begin(), idle.end(), exchange));
        discard(exchange);
    }

    void note(const Exchange &exchange, Exchange::State state)
    {
        const auto now = Clock::now();
        const double time = Seconds(now - exchange.due).count();
        const bool isGood = state == Exchange::State::answered && exchange.status == 200;
        if (isGood) {
            tally.good.push_back(time);
            const auto second = static_cast<std::size_t>(Seconds(now - begin).count());
            tally.goodBySecond.resize(std::max(tally.goodBySecond.size(), second + 1));
            tally.goodBySecond[second]++;
        } else if (state == Exchange::State::answered && exchange.status == 503 && exchange.hasRetryAfter) {
            tally.refused.push_back(time);
        } else if (state == Exchange::State::answered) {
            tally.other++;
            tally.otherExample = std::to_string(exchange.status);
        } else {
            tally.unanswered++;
            tally.unansweredExample = exchange.loss;
        }
        if (isClosedLoop)
            later.push_back(isGood ? now : now + std::chrono::duration_cast<Clock::duration>(breather));
    }

    void discard(Exchange *exchange)
    {
        const std::size_t index = exchange->index;
        open.back()->index = index;
        std::swap(open[index], open.back());
        open.pop_back();
    }

    // Abandons requests without a response.
    void expire()
    {
        const auto now = Clock::now();
        if (now - lastLook < std::chrono::seconds(1))
            return;
        lastLook = now;
        for (std::size_t i = open.size(); i-- > 0;)
            if (Exchange *exchange = open[i].get(); exchange->isBusy() && now - exchange->due > patience) {
                exchange->loss = "no response in time";
                finish(exchange, Exchange::State::lost);
            }
    }
};

int main(int count, char **arguments)
{
    if (count < 8) {
        std::fprintf(stderr, "usage: open-loop PORT rate|clients NUMBER SECONDS own|kept IMAGE PATH...\n");
        return 64;
    }
    const bool isGet = std::string(arguments[6]) == "-";
    std::ifstream file(arguments[6], std::ios::binary);
    const std::string image{std::istreambuf_iterator<char>(file), {}};
    if (image.empty() && !isGet) {
        std::fprintf(stderr, "open-loop: %s cannot be read\n", arguments[6]);
        return 66;
    }
    std::vector<std::string> requests;
    for (int i = 7; i < count; i++)
        requests.push_back((isGet ? "GET " : "POST ") + std::string(arguments[i]) +
                           " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(image.size()) +
                           "\r\n\r\n" + image);
    rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    Load load(std::atoi(arguments[1]), std::string(arguments[5]) == "kept", std::move(requests));
    load.run(std::string(arguments[2]) == "rate", std::atof(arguments[3]), std::atof(arguments[4]));
    timespec processor;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &processor);
    load.tally.print(processor.tv_sec + processor.tv_nsec * 1e-9);
}
