// The requests of the providers' software by a client that was generated for Go: one lazy connection without
// credentials, a limit of 256 MiB, every proof by Prove with a deadline of thirty minutes, and again with the same id
// while the daemon is away.
//
//	client ADDRESS REQUESTS OUT     writes each proof to a file of OUT
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	pb "cuzk/v1"
)

const (
	deadline        = 30 * time.Minute
	betweenAttempts = 200 * time.Millisecond
	maxMessage      = 256 << 20
)

// Debian's gRPC reads messages with an older library than Debian's generator writes code for.
type codec struct{}

func (codec) Name() string                          { return "proto" }
func (codec) Marshal(v interface{}) ([]byte, error) { return proto.Marshal(v.(proto.Message)) }
func (codec) Unmarshal(data []byte, v interface{}) error {
	return proto.Unmarshal(data, v.(proto.Message))
}

type request struct {
	Name            string   `json:"name"`
	RequestID       string   `json:"request_id"`
	ProofKind       int32    `json:"proof_kind"`
	SectorSize      uint64   `json:"sector_size"`
	RegisteredProof uint64   `json:"registered_proof"`
	Priority        int32    `json:"priority"`
	VanillaProof    []byte   `json:"vanilla_proof"`
	VanillaProofs   [][]byte `json:"vanilla_proofs"`
	SectorNumber    uint64   `json:"sector_number"`
	MinerID         uint64   `json:"miner_id"`
	Randomness      []byte   `json:"randomness"`
	PartitionIndex  uint32   `json:"partition_index"`
	CommROld        []byte   `json:"comm_r_old"`
	CommRNew        []byte   `json:"comm_r_new"`
	CommDNew        []byte   `json:"comm_d_new"`
}

func (r request) message() *pb.ProveRequest {
	return &pb.ProveRequest{Submit: &pb.SubmitProofRequest{
		RequestId:       r.RequestID,
		ProofKind:       pb.ProofKind(r.ProofKind),
		SectorSize:      r.SectorSize,
		RegisteredProof: r.RegisteredProof,
		Priority:        pb.Priority(r.Priority),
		VanillaProof:    r.VanillaProof,
		VanillaProofs:   r.VanillaProofs,
		SectorNumber:    r.SectorNumber,
		MinerId:         r.MinerID,
		Randomness:      r.Randomness,
		PartitionIndex:  r.PartitionIndex,
		CommROld:        r.CommROld,
		CommRNew:        r.CommRNew,
		CommDNew:        r.CommDNew,
	}}
}

// Asks until there is an answer.
func (r request) prove(calls pb.ProvingEngineClient) ([]byte, error) {
	for {
		ctx, cancel := context.WithTimeout(context.Background(), deadline)
		response, err := calls.Prove(ctx, r.message())
		cancel()
		if status.Code(err) == codes.Unavailable {
			time.Sleep(betweenAttempts)
			continue
		}
		if err != nil {
			return nil, err
		}
		result := response.GetResult()
		if result.GetStatus() != pb.AwaitProofResponse_COMPLETED {
			return nil, fmt.Errorf("%v: %s", result.GetStatus(), result.GetErrorMessage())
		}
		return result.GetProof(), nil
	}
}

func proveAll(address string, requests []request, out string) error {
	connection, err := grpc.Dial(address, grpc.WithInsecure(), grpc.WithDefaultCallOptions(grpc.ForceCodec(codec{}),
		grpc.MaxCallRecvMsgSize(maxMessage), grpc.MaxCallSendMsgSize(maxMessage)))
	if err != nil {
		return err
	}
	defer connection.Close()
	calls := pb.NewProvingEngineClient(connection)
	failures := make(chan error)
	for _, each := range requests {
		go func(r request) {
			proof, err := r.prove(calls)
			if err == nil {
				err = os.WriteFile(filepath.Join(out, strings.ReplaceAll(r.Name, " ", "-")), proof, 0o600)
			} else {
				err = fmt.Errorf("%s: %w", r.Name, err)
			}
			failures <- err
		}(each)
	}
	for range requests {
		if failed := <-failures; failed != nil {
			err = failed
		}
	}
	return err
}

func run() error {
	text, err := os.ReadFile(os.Args[2])
	if err != nil {
		return err
	}
	var requests []request
	if err := json.Unmarshal(text, &requests); err != nil {
		return err
	}
	return proveAll(os.Args[1], requests, os.Args[3])
}

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: client ADDRESS REQUESTS OUT")
		os.Exit(2)
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "client:", err)
		os.Exit(1)
	}
}
