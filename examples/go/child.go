// A daemon that belongs to a Go program: it gets a socket that is listening already, and ends with the program, however
// that ends.
//
//	go build child.go
//	./child CUZK KEYS SOCKET     prints the daemon's process and its line of readiness, and ends with its input
package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
)

// Clients may connect to the socket from here on: who comes before the daemon waits for it.
func start(cuzk, keys, socket string) (*exec.Cmd, *bufio.Reader, error) {
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return nil, nil, err
	}
	defer listener.Close()
	listener.(*net.UnixListener).SetUnlinkOnClose(false) // the daemon goes on with it
	file, err := listener.(*net.UnixListener).File()
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	daemon := exec.Command(cuzk, "serve", "--set", "srs.param_cache="+keys, "--fd", "3",
		"--parent-pid", strconv.Itoa(os.Getpid()))
	daemon.ExtraFiles = []*os.File{file} // the first is descriptor 3
	daemon.Stderr = os.Stderr
	output, err := daemon.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	return daemon, bufio.NewReader(output), daemon.Start()
}

func run(cuzk, keys, socket string) error {
	daemon, output, err := start(cuzk, keys, socket)
	if err != nil {
		return err
	}
	ready, err := output.ReadString('\n')
	if err != nil {
		return fmt.Errorf("the daemon ended: %w", daemon.Wait())
	}
	fmt.Printf("%d %s", daemon.Process.Pid, ready)
	_, err = io.ReadAll(os.Stdin)
	return err // nothing else is to be done: the daemon ends with this process
}

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: child CUZK KEYS SOCKET")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "child:", err)
		os.Exit(1)
	}
}
