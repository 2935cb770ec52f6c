// ftruncate, pread, pwrite
#define _GNU_SOURCE
#include "CLinux.h"
#include "CSandbox.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/// The version of the messages. Both sides are the same program, unless its file was replaced after the start.
enum { VERSION = 1 };

int hr_message_send(int control, const struct hr_message *message)
{
    struct hr_message sent = *message;
    sent.version = VERSION;
    ssize_t count;
    do {
        // Few messages are ever queued; a full buffer means that the peer does not read.
        count = send(control, &sent, sizeof sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    } while (count < 0 && errno == EINTR);
    return count < 0 ? -errno : 0;
}

static int receive(int control, struct hr_message *message, int flags)
{
    ssize_t count;
    do {
        // With MSG_TRUNC the actual length is returned, even if it exceeds the buffer.
        count = recv(control, message, sizeof *message, flags | MSG_TRUNC);
    } while (count < 0 && errno == EINTR);
    if (count < 0)
        return errno == ECONNRESET ? 0 : -errno;
    if (count == 0)
        return 0;
    return count == sizeof *message && message->version == VERSION ? 1 : -EPROTO;
}

int hr_message_receive(int control, struct hr_message *message, int milliseconds)
{
    if (milliseconds < 0)
        return receive(control, message, 0);
    struct pollfd entry = {.fd = control, .events = POLLIN};
    int ready = poll(&entry, 1, milliseconds);
    if (ready == 0 || (ready < 0 && errno == EINTR))
        return -EAGAIN;
    return ready < 0 ? -errno : receive(control, message, MSG_DONTWAIT);
}

bool hr_message_waits(int control, uint32_t kind, uint64_t job)
{
    struct hr_message message;
    while (receive(control, &message, MSG_DONTWAIT) == 1)
        if (message.kind == kind && message.job == job)
            return true;
    return false;
}

int hr_file_write(int file, const void *bytes, size_t count, uint64_t offset)
{
    const char *next = bytes;
    while (count > 0) {
        ssize_t written = pwrite(file, next, count, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return -errno;
        next += written;
        offset += (uint64_t)written;
        count -= (size_t)written;
    }
    return 0;
}

int hr_file_read(int file, void *bytes, size_t count, uint64_t offset)
{
    hr_lay_pages(bytes, count);
    char *next = bytes;
    while (count > 0) {
        ssize_t got = pread(file, next, count, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -errno;
        if (got == 0)
            return -ENODATA;
        next += got;
        offset += (uint64_t)got;
        count -= (size_t)got;
    }
    return 0;
}

int64_t hr_file_size(int file)
{
    struct stat info;
    return fstat(file, &info) == 0 ? info.st_size : -errno;
}

int hr_file_clear(int file, uint64_t used_bytes, uint64_t kept_bytes)
{
    static const char zeroes[64 << 10];
    const int64_t size = hr_file_size(file);
    if (size < 0)
        return (int)size;
    if ((uint64_t)size > kept_bytes && ftruncate(file, (off_t)kept_bytes) != 0)
        return -errno;
    uint64_t end = used_bytes < kept_bytes ? used_bytes : kept_bytes;
    if (end > (uint64_t)size)
        end = (uint64_t)size;
    for (uint64_t at = 0; at < end; at += sizeof zeroes) {
        const int status = hr_file_write(file, zeroes, end - at < sizeof zeroes ? end - at : sizeof zeroes, at);
        if (status < 0)
            return status;
    }
    return 0;
}
