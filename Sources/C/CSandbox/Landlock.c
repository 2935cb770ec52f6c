#define _GNU_SOURCE
#include "CSandbox.h"
#include "Confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The build's linux/landlock.h may be missing or older than the kernel. The numbers are the same on all architectures.
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { VERSION_FLAG = 1, PATH_BENEATH = 1 };
enum { EXECUTE = 1 << 0, READ_FILE = 1 << 2, READ_DIR = 1 << 3 };

/// The rights that each version restricts: the first column of struct landlock_ruleset_attr.
static uint64_t file_rights(int version)
{
    // Rights of version 1, REFER, TRUNCATE, IOCTL_DEV.
    const int count = version >= 5 ? 16 : version >= 3 ? 15 : version == 2 ? 14 : 13;
    return (1u << count) - 1;
}

/// struct landlock_ruleset_attr.
struct ruleset {
    uint64_t files;
    /// BIND_TCP and CONNECT_TCP, since version 4.
    uint64_t network;
    /// Abstract UNIX sockets and signals, since version 6.
    uint64_t scopes;
};

/// struct landlock_path_beneath_attr.
struct rule {
    uint64_t access;
    int32_t parent;
} __attribute__((packed));

int hr_landlock_version(void)
{
    const long version = syscall(CREATE_RULESET, NULL, (size_t)0, VERSION_FLAG);
    return version < 0 ? -errno : (int)version;
}

/// Adds a rule for a file or a folder. A missing file or folder is ignored.
static int permit(int ruleset, const char *path, uint64_t access)
{
    const int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT || errno == EACCES || errno == ENOTDIR ? 0 : -errno;
    struct stat status;
    int error = fstat(file, &status) == 0 ? 0 : -errno;
    // A rule for a file must not contain rights of folders.
    if (error == 0 && !S_ISDIR(status.st_mode))
        access &= ~(uint64_t)READ_DIR;
    const struct rule rule = {access, file};
    if (error == 0 && syscall(ADD_RULE, ruleset, PATH_BENEATH, &rule, 0) != 0)
        error = -errno;
    close(file);
    return error;
}

int hr_ruleset_open(char *const *executables, char *const *readable)
{
    const int version = hr_landlock_version();
    if (version < 0)
        return version;
    const struct ruleset rules = {.files = file_rights(version),
                                  .network = version >= 4 ? 3 : 0,
                                  .scopes = version >= 6 ? 3 : 0};
    const size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    const long ruleset = syscall(CREATE_RULESET, &rules, size, 0);
    if (ruleset < 0)
        return -errno;
    int error = 0;
    for (char *const *path = executables; *path != NULL && error == 0; path++)
        error = permit((int)ruleset, *path, EXECUTE | READ_FILE);
    for (char *const *path = readable; *path != NULL && error == 0; path++)
        error = permit((int)ruleset, *path, READ_FILE | READ_DIR);
    if (error != 0) {
        close((int)ruleset);
        return error;
    }
    return (int)ruleset;
}

int hr_ruleset_enter(int ruleset) { return syscall(RESTRICT_SELF, ruleset, 0) == 0 ? 0 : -errno; }
