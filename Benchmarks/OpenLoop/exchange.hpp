// One connection to the service, and the request that is on it.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;

class Exchange {
public:
    enum class State { open, answered, lost };

    // Connects from an address of 127.0.0.0/8, another one for each number, so that ports and limits of an address
    // suffice for a crowd.
    Exchange(int port, unsigned number);
    ~Exchange();
    Exchange(const Exchange &) = delete;

    int descriptor() const { return fd; }
    bool isBusy() const { return request != nullptr; }
    // When the request was due, status and whether there was Retry-After, and the reason of a loss.
    Clock::time_point due;
    int status = 0;
    bool hasRetryAfter = false, keepsOpen = false;
    std::string loss;
    // Where it is in the list of its owner.
    std::size_t index = 0;

    // Begins to send; the bytes are to live until the answer is there.
    State begin(const std::string &bytes, Clock::time_point wasDue);
    // Goes on as far as the socket lets it.
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
