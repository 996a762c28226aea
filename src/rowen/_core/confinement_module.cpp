// Takes from a process what reading documents does not need. Seccomp: a list of the system calls that
// stay, as a program that the kernel runs before each call; the others fail with EPERM. Landlock: no
// file is opened but below some folders, whatever call is used. And no capabilities.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cerrno>
#include <string>
#include <vector>

#include "native.hpp"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#define ROWEN_CONFINES 1
#include <fcntl.h>
#include <csignal>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#endif

namespace nb = nanobind;

namespace rowen {
namespace {

#ifdef ROWEN_CONFINES

#ifdef __x86_64__
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#else
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#endif

constexpr std::uint32_t allow = SECCOMP_RET_ALLOW;
constexpr std::uint32_t refuse = SECCOMP_RET_ERRNO | EPERM;
// The C library has an older call for these, whose arguments can be looked at.
constexpr std::uint32_t unknown = SECCOMP_RET_ERRNO | ENOSYS;

// These have one number on all machines; the headers may be older than they are.
constexpr long clone3 = 435, close_range = 436, openat2 = 437, faccessat2 = 439;

constexpr long landlock_create_ruleset = 444, landlock_add_rule = 445, landlock_restrict_self = 446;

constexpr long harmless[] = {
    // memory
    __NR_brk, __NR_madvise, __NR_mmap, __NR_mprotect, __NR_mremap, __NR_munmap,
    // what is open; a document comes as a descriptor, by recvmsg
    __NR_close, close_range, __NR_dup, __NR_dup3, __NR_fadvise64, __NR_fstat, __NR_lseek,
    __NR_ppoll, __NR_pread64, __NR_preadv, __NR_pselect6, __NR_read, __NR_readv, __NR_recvmsg,
    __NR_write, __NR_writev,
#ifdef __x86_64__
    __NR_dup2, __NR_poll, __NR_select, __NR_getrlimit, __NR_setrlimit, __NR_time,
#endif
    // signals of its own, and the end of threads
    __NR_exit, __NR_exit_group, __NR_futex, __NR_membarrier, __NR_restart_syscall, __NR_rseq,
    __NR_rt_sigaction, __NR_rt_sigprocmask, __NR_rt_sigreturn, __NR_sched_getaffinity,
    __NR_sched_yield, __NR_set_robust_list, __NR_set_tid_address, __NR_sigaltstack,
    // time
    __NR_clock_getres, __NR_clock_gettime, __NR_clock_nanosleep, __NR_gettimeofday,
    __NR_nanosleep, __NR_setitimer, __NR_getitimer, __NR_times,
    // what it and the machine are
    __NR_getcpu, __NR_getegid, __NR_geteuid, __NR_getgid, __NR_getpid, __NR_getppid,
    __NR_getrandom, __NR_getrusage, __NR_gettid, __NR_getuid, __NR_sysinfo, __NR_uname,
};

// To load code from files; Landlock says from which.
constexpr long looking[] = {
    __NR_faccessat, faccessat2, __NR_fstatfs, __NR_getcwd, __NR_getdents64, __NR_newfstatat,
    __NR_readlinkat, __NR_statfs, __NR_statx,
#ifdef __x86_64__
    __NR_access, __NR_lstat, __NR_readlink, __NR_stat,
#endif
};

class Program {
  public:
    std::vector<sock_filter> code;

    Program() {
        load(offsetof(seccomp_data, arch));
        code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0));
        end(refuse);
        load(offsetof(seccomp_data, nr));
    }

    void answer(long call, std::uint32_t with) {
        code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, 1));
        end(with);
    }

    // Allows a call where the bits of an argument that `mask` has are `wanted`, one of these.
    void allow_where(long call, unsigned argument, std::uint32_t mask,
                     std::initializer_list<std::uint32_t> wanted) {
        // the lower half: both machines put it first, and the kernel looks at an int only
        const auto place = offsetof(seccomp_data, args) + argument * sizeof(std::uint64_t);
        const auto past = static_cast<std::uint8_t>(3 + 2 * wanted.size());
        code.push_back(
            BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, past));
        load(place);
        code.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, mask));
        for (const std::uint32_t value : wanted) {
            code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
            end(allow);
        }
        end(refuse);
    }

    void end(std::uint32_t with) { code.push_back(BPF_STMT(BPF_RET | BPF_K, with)); }

  private:
    void load(std::size_t place) {
        code.push_back(
            BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(place)));
    }
};

std::vector<sock_filter> program(bool libraries) {
    constexpr std::uint32_t all = ~0u;
    constexpr std::uint32_t writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
    constexpr std::uint32_t thread = CLONE_VM | CLONE_THREAD;
    constexpr std::uint32_t apart = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC |
                                    CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
    const auto self = static_cast<std::uint32_t>(getpid());
    Program made;
    for (const long call : harmless) {
        made.answer(call, allow);
    }
    if (libraries) {
        for (const long call : looking) {
            made.answer(call, allow);
        }
        made.answer(clone3, unknown);
        made.answer(openat2, unknown);
        made.allow_where(__NR_openat, 2, writing, {0});
#ifdef __NR_open
        made.allow_where(__NR_open, 1, writing, {0});
#endif
        made.allow_where(__NR_clone, 0, thread | apart, {thread});
    }
    made.allow_where(__NR_kill, 0, all, {self});
    made.allow_where(__NR_tgkill, 0, all, {self});
    made.allow_where(__NR_prlimit64, 0, all, {0, self});
    made.allow_where(__NR_ioctl, 1, all, {TCGETS, FIOCLEX, FIONCLEX, FIONREAD});
    // Not F_SETOWN and F_SETSIG, which send signals to others, nor locks and leases.
    made.allow_where(__NR_fcntl, 1, all, {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL});
    made.allow_where(__NR_prctl, 0, all, {PR_SET_NAME, PR_GET_NAME});
    made.end(refuse);
    return made.code;
}

int confine(bool libraries) {
    std::vector<sock_filter> code = program(libraries);
    sock_fprog filter{static_cast<unsigned short>(code.size()), code.data()};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
        return errno;
    }
    const long failed =
        syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
    return failed == 0 ? 0 : failed > 0 ? EBUSY : errno;  // above 0: a thread that would not follow
}

// As the kernel has them, whose headers may be older.
struct Ruleset {
    std::uint64_t files, network, scoped;
};

struct __attribute__((packed)) Beneath {
    std::uint64_t allowed;
    std::int32_t folder;
};

constexpr std::uint64_t read_file = 1u << 2, read_folder = 1u << 3;

// Refuses every file but for reading those below some folders, this thread and those it starts; the
// version that the kernel has of it, or less than 0: the number of the error for which it could not.
int landlock(const std::vector<std::string>& folders) {
    const long version = syscall(landlock_create_ruleset, nullptr, 0, 1);
    if (version < 0) {
        return -errno;
    }
    const unsigned rights = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
    Ruleset rules{(std::uint64_t{1} << rights) - 1, version >= 4 ? 3u : 0u, version >= 6 ? 3u : 0u};
    const std::size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    const long set = syscall(landlock_create_ruleset, &rules, size, 0);
    if (set < 0) {
        return -errno;
    }
    int failed = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ? errno : 0;
    for (const std::string& folder : folders) {
        const int open_folder = open(folder.c_str(), O_PATH | O_CLOEXEC);
        if (open_folder < 0) {
            continue;  // what is not there can't be read
        }
        const Beneath rule{read_file | read_folder, open_folder};
        if (failed == 0 && syscall(landlock_add_rule, set, 1, &rule, 0) != 0) {
            failed = errno;
        }
        close(open_folder);
    }
    if (failed == 0 && syscall(landlock_restrict_self, set, 0) != 0) {
        failed = errno;
    }
    close(static_cast<int>(set));
    return failed == 0 ? static_cast<int>(version) : -failed;
}

// Nothing that root may do beyond others, and nobody may look into this process.
void drop_privileges() {
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    __user_cap_header_struct head{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct none[2]{};
    syscall(__NR_capset, &head, none);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

// Ends this process when the thread ends that started it; tells whether that one is still there.
bool end_with(int parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
    return getppid() == parent;
}

#else

int confine(bool) { return ENOSYS; }

int landlock(const std::vector<std::string>&) { return -ENOSYS; }

void drop_privileges() {}

bool end_with(int) { return true; }

#endif

}  // namespace

void bind_confinement(nb::module_& module) {
    module.def("confine", &confine, nb::arg("libraries"));
    module.def("landlock", &landlock, nb::arg("folders"));
    module.def("drop_privileges", &drop_privileges);
    module.def("end_with", &end_with, nb::arg("parent"));
}

}  // namespace rowen
