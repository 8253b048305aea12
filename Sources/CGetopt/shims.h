#pragma once

#include <getopt.h>

// getopt_long keeps its state in variables of the whole process, which Swift does not take: these functions hand it over
// by value. The caller holds a lock from the reset to the last call.

/// What one call found.
struct cgetopt_step {
    /// The option's number; ':' for a missing value, '?' for an option that is not there, -1 at the end.
    int number;
    /// The option that a fault is about, where it is known, else 0.
    int culprit;
    /// The index of the argument that comes next.
    int next;
    /// The value of the option, or NULL.
    const char *_Nullable value;
};

/// Starts a new command line; getopt itself writes no messages.
static inline void cgetopt_reset(void) {
    optind = 0;
    opterr = 0;
}

static inline struct cgetopt_step cgetopt_next(
    int count,
    char *_Nullable *_Nonnull arguments,
    const char *_Nonnull letters,
    const struct option *_Nonnull options
) {
    optarg = 0;
    optopt = 0;
    int number = getopt_long(count, arguments, letters, options, 0);
    struct cgetopt_step step = {number, optopt, optind, optarg};
    return step;
}

