// openat2
#define _GNU_SOURCE
#include "CLinux.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int hr_open_folder(const char *path)
{
    int fd;
    do {
        fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    } while (fd < 0 && errno == EINTR);
    return fd < 0 ? -errno : fd;
}

int hr_open_beneath(int folder, const char *path)
{
    struct open_how how = {
        // O_NONBLOCK: opening a FIFO without a writer would block.
        .flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC,
        .resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
    };
    // EAGAIN: a path was renamed at the same time, so the kernel cannot guarantee that the path stays below the folder.
    for (int attempts = 0; attempts < 16; attempts++) {
        long fd = syscall(SYS_openat2, folder, path, &how, sizeof how);
        if (fd >= 0)
            return (int)fd;
        if (errno != EINTR && errno != EAGAIN)
            return -errno;
    }
    return -EAGAIN;
}

int hr_describe_file(int file, struct hr_file *description)
{
    struct stat status;
    if (fstat(file, &status) != 0)
        return -errno;
    description->is_regular = S_ISREG(status.st_mode);
    description->size = status.st_size;
    description->modified_seconds = status.st_mtim.tv_sec;
    description->modified_nanoseconds = status.st_mtim.tv_nsec;
    return 0;
}

ssize_t hr_read_file(int file, void *buffer, size_t capacity)
{
    ssize_t count;
    do {
        count = read(file, buffer, capacity);
    } while (count < 0 && errno == EINTR);
    return count < 0 ? -errno : count;
}

void hr_fill_standard_descriptors(void)
{
    for (int number = 0; number <= 2; number++) {
        if (fcntl(number, F_GETFD) >= 0)
            continue;
        // The lowest free number is used. The direction is wrong on purpose.
        const int file = open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY);
        if (file > number)
            close(file);
    }
}
