package seal

import (
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// hideKeys takes the kernel's keyrings from this thread and all that it starts.
// Keys belong to users, not to namespaces: a program that runs as the user can link
// the user's keyring into its own by number, and read what is in it. A kernel
// without such filters leaves them in reach. The flag keeps older kernels from
// slowing down what is filtered.
func hideKeys() {
	native, old := keyCalls(runtime.GOARCH)
	if native.machine == 0 {
		return
	}
	filter := keyFilter(native, old)
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	_, _, _ = unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_SPEC_ALLOW, uintptr(unsafe.Pointer(&program)))
}

// calls are the system calls of keyrings in the numbers of one kind of programs.
type calls struct {
	machine uint32
	first   uint32 // add_key, request_key and keyctl follow each other everywhere
}

// keyCalls are those of this processor, and of its programs of 32 bits.
func keyCalls(arch string) (native, old calls) {
	switch arch {
	case "amd64":
		return calls{unix.AUDIT_ARCH_X86_64, unix.SYS_ADD_KEY}, calls{unix.AUDIT_ARCH_I386, 286}
	case "arm64":
		return calls{unix.AUDIT_ARCH_AARCH64, unix.SYS_ADD_KEY}, calls{unix.AUDIT_ARCH_ARM, 309}
	}
	return calls{}, calls{}
}

// keyFilter answers these calls as a kernel without keyrings does. The flag in the
// number marks programs of the x32 kind.
func keyFilter(native, old calls) []unix.SockFilter {
	const x32, machineAt, numberAt = 0x40000000, 4, 0
	load := func(at uint32) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: at}
	}
	jump := func(test uint16, k uint32, yes, no uint8) unix.SockFilter {
		return unix.SockFilter{Code: unix.BPF_JMP | test | unix.BPF_K, K: k, Jt: yes, Jf: no}
	}
	end := func(k uint32) unix.SockFilter { return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: k} }
	return []unix.SockFilter{
		load(machineAt),
		jump(unix.BPF_JEQ, native.machine, 0, 4),
		load(numberAt),
		{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: ^uint32(x32)},
		jump(unix.BPF_JGE, native.first, 0, 5),
		jump(unix.BPF_JGT, native.first+2, 4, 5),
		jump(unix.BPF_JEQ, old.machine, 0, 3),
		load(numberAt),
		jump(unix.BPF_JGE, old.first, 0, 1),
		jump(unix.BPF_JGT, old.first+2, 0, 1),
		end(unix.SECCOMP_RET_ALLOW),
		end(unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)),
	}
}
