// The confinement of a converter, in a process that shares its memory with its parent until execve(2).
#pragma once

#include <linux/filter.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A seccomp filter of a converter.
struct hr_filter {
    size_t count;
    /// The instruction that compares a number with the ID of the process.
    size_t process_index;
    struct sock_filter code[512];
};

/// Writes the filter without the ID of the process.
void hr_filter_write(struct hr_filter *filter);

/// Installs the filter in the calling thread, whose process has the ID `process`. 0, or -errno. Async-signal-safe.
int hr_filter_install(struct hr_filter *filter, pid_t process);

/// Creates a ruleset of Landlock that permits reading `readable`, and reading and executing `executables`: a descriptor,
/// or -errno.
int hr_ruleset_open(char *const *executables, char *const *readable);

/// Restricts the calling thread to a ruleset. 0, or -errno. Async-signal-safe.
int hr_ruleset_enter(int ruleset);
