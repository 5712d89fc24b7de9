// A WinningPoSt in process, from Go.
//
//	CGO_CFLAGS=-I.../include CGO_LDFLAGS="-L.../lib -lcuzk" go build prove.go
//	./prove KEYS VANILLA RANDOMNESS SECTOR_SIZE REGISTERED_PROOF PROOF     as of examples/c/prove.c
package main

/*
#include <cuzk.h>
#include <stdlib.h>
#include <string.h>

int32_t showProgress(cuzk_progress *progress, uintptr_t context);

// Go has no way to write the type of a C function that gets a pointer to const.
static int32_t show(const cuzk_progress *progress, void *context) {
  return showProgress((cuzk_progress *)progress, (uintptr_t)context);
}

static cuzk_error *wait_and_show(cuzk_job *job, uintptr_t context, cuzk_result **result) {
  return cuzk_job_wait(job, CUZK_FOREVER, show, (void *)context, result);
}
*/
import "C"

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"runtime/cgo"
	"strconv"
	"unsafe"
)

// What a function of the library came to; frees the error.
func check(err *C.cuzk_error) error {
	if err == nil {
		return nil
	}
	defer C.cuzk_error_destroy(err)
	return errors.New(C.GoString(C.cuzk_error_message(err)))
}

// A copy in C's memory: what a request points to may not be Go's. The caller frees it.
func copyBytes(bytes []byte) C.cuzk_bytes {
	return C.cuzk_bytes{data: (*C.uint8_t)(C.CBytes(bytes)), size: C.size_t(len(bytes))}
}

func free(bytes C.cuzk_bytes) { C.free(unsafe.Pointer(bytes.data)) }

//export showProgress
func showProgress(progress *C.cuzk_progress, context C.uintptr_t) C.int32_t {
	tell := cgo.Handle(context).Value().(func(stage string))
	tell(C.GoString(progress.stage))
	return 0
}

type winning struct {
	vanilla, randomness         []byte
	sectorSize, registeredProof uint64
}

func (w winning) prove(keys string, tell func(stage string)) ([]byte, error) {
	config := C.CString(fmt.Sprintf("[srs]\nparam_cache = %q\n", keys))
	defer C.free(unsafe.Pointer(config))
	var engine *C.cuzk_engine
	if err := check(C.cuzk_engine_create(config, C.strlen(config), &engine)); err != nil {
		return nil, err
	}
	defer C.cuzk_engine_destroy(engine)

	job, err := w.submit(engine)
	if err != nil {
		return nil, err
	}
	defer C.cuzk_job_destroy(job)

	handle := cgo.NewHandle(tell)
	defer handle.Delete()
	var result *C.cuzk_result
	if err := check(C.wait_and_show(job, C.uintptr_t(handle), &result)); err != nil {
		return nil, err
	}
	defer C.cuzk_result_destroy(result)
	if C.cuzk_result_state(result) != C.CUZK_JOB_COMPLETED {
		return nil, errors.New("no proof: " + C.GoString(C.cuzk_result_message(result)))
	}
	var size C.size_t
	proof := C.cuzk_result_proof(result, &size)
	return C.GoBytes(unsafe.Pointer(proof), C.int(size)), nil
}

func (w winning) submit(engine *C.cuzk_engine) (*C.cuzk_job, error) {
	randomness, vanilla := copyBytes(w.randomness), copyBytes(w.vanilla)
	defer free(randomness)
	defer free(vanilla)
	list := (*C.cuzk_bytes)(C.malloc(C.sizeof_cuzk_bytes))
	defer C.free(unsafe.Pointer(list))
	*list = vanilla

	request := C.cuzk_request{
		struct_size:         C.sizeof_cuzk_request,
		kind:                C.CUZK_WINNING_POST,
		sector_size:         C.uint64_t(w.sectorSize),
		registered_proof:    C.uint64_t(w.registeredProof),
		vanilla_proofs:      list,
		vanilla_proof_count: 1,
		randomness:          randomness,
	}
	var job *C.cuzk_job
	err := check(C.cuzk_submit(engine, &request, &job))
	return job, err
}

func run(arguments []string) error {
	vanilla, err := os.ReadFile(arguments[1])
	if err != nil {
		return err
	}
	randomness, err := hex.DecodeString(arguments[2])
	if err != nil {
		return err
	}
	sectorSize, err := strconv.ParseUint(arguments[3], 10, 64)
	if err != nil {
		return err
	}
	registeredProof, err := strconv.ParseUint(arguments[4], 10, 64)
	if err != nil {
		return err
	}
	request := winning{vanilla, randomness, sectorSize, registeredProof}
	proof, err := request.prove(arguments[0], func(stage string) { fmt.Println(stage) })
	if err != nil {
		return err
	}
	fmt.Println(len(proof), "bytes")
	return os.WriteFile(arguments[5], proof, 0o644)
}

func main() {
	if len(os.Args) != 7 {
		fmt.Fprintln(os.Stderr, "usage: prove KEYS VANILLA RANDOMNESS SECTOR_SIZE REGISTERED_PROOF PROOF")
		os.Exit(2)
	}
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "prove:", err)
		os.Exit(1)
	}
}
