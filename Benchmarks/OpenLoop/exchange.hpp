// One connection to the service, and its current request.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;

class Exchange {
public:
    enum class State { open, answered, lost };

    // Connects from an address in 127.0.0.0/8, a different one for each number, so that the ports and limits of an address
    // suffice for many clients.
    Exchange(int port, unsigned number);
    ~Exchange();
    Exchange(const Exchange &) = delete;

    int descriptor() const { return fd; }
    bool isBusy() const { return request != nullptr; }
    // The time at which the request was due, the status, whether Retry-After was present, and the reason of a loss.
    Clock::time_point due;
    int status = 0;
    bool hasRetryAfter = false, keepsOpen = false;
    std::string loss;
    // The position in the list of the owner.
    std::size_t index = 0;

    // Starts to send; the bytes must stay valid until the response has arrived.
    State begin(const std::string &bytes, Clock::time_point wasDue);
    // Continues until the socket would block.
    State advance();

private:
    int fd = -1;
    const std::string *request = nullptr;
    std::size_t sent = 0, bodyLeft = 0;
    bool hasHead = false;
    std::string head;

    State lose(const char *why, int error);
    State send();
    State receive();
    bool take(const char *bytes, std::size_t count);
    std::string field(const char *name) const;
};
