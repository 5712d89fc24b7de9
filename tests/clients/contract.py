"""The wire contract that existing clients were generated from, held against what our proto file generates."""

U64, U32, STRING, BYTES, BOOL, ENUM, MESSAGE = "uint64", "uint32", "string", "bytes", "bool", "enum", "message"

ENUMS = {
    "ProofKind": {"PROOF_KIND_UNSPECIFIED": 0, "POREP_SEAL_COMMIT": 1, "SNAP_DEALS_UPDATE": 2, "WINDOW_POST_PARTITION": 3,
                  "WINNING_POST": 4},
    "Priority": {"PRIORITY_UNSPECIFIED": 0, "LOW": 1, "NORMAL": 2, "HIGH": 3, "CRITICAL": 4},
    "AwaitProofResponse.Status": {"UNKNOWN": 0, "COMPLETED": 1, "FAILED": 2, "CANCELLED": 3, "TIMEOUT": 4},
    "SRSStatus.Tier": {"HOT": 0, "WARM": 1, "COLD": 2},
}

# name: (number, type, repeated)
MESSAGES = {
    "SubmitProofRequest": {
        "request_id": (1, STRING, False), "proof_kind": (2, ENUM, False), "sector_size": (3, U64, False),
        "registered_proof": (4, U64, False), "priority": (5, ENUM, False), "vanilla_proof": (10, BYTES, False),
        "vanilla_proofs": (11, BYTES, True), "sector_number": (20, U64, False), "miner_id": (21, U64, False),
        "randomness": (22, BYTES, False), "partition_index": (23, U32, False), "comm_r_old": (30, BYTES, False),
        "comm_r_new": (31, BYTES, False), "comm_d_new": (32, BYTES, False)},
    "SubmitProofResponse": {"job_id": (1, STRING, False), "queue_position": (2, U32, False),
                            "assigned_gpu": (3, STRING, False)},
    "AwaitProofRequest": {"job_id": (1, STRING, False), "timeout_ms": (2, U64, False)},
    "AwaitProofResponse": {
        "job_id": (1, STRING, False), "status": (2, ENUM, False), "proof": (3, BYTES, False),
        "error_message": (4, STRING, False), "queue_wait_ms": (10, U64, False), "srs_load_ms": (11, U64, False),
        "synthesis_ms": (12, U64, False), "gpu_compute_ms": (13, U64, False), "total_ms": (14, U64, False)},
    "ProveRequest": {"submit": (1, MESSAGE, False)},
    "ProveResponse": {"result": (1, MESSAGE, False)},
    "CancelProofRequest": {"job_id": (1, STRING, False)},
    "CancelProofResponse": {"was_running": (1, BOOL, False)},
    "GetStatusResponse": {
        "gpus": (1, MESSAGE, True), "loaded_srs": (2, MESSAGE, True), "queues": (3, MESSAGE, True),
        "total_proofs_completed": (4, U64, False), "total_proofs_failed": (5, U64, False),
        "uptime_seconds": (6, U64, False), "pinned_memory_bytes": (7, U64, False),
        "pinned_memory_limit_bytes": (8, U64, False)},
    "GPUStatus": {
        "ordinal": (1, U32, False), "name": (2, STRING, False), "vram_total_bytes": (3, U64, False),
        "vram_free_bytes": (4, U64, False), "current_job_id": (5, STRING, False),
        "current_proof_kind": (6, STRING, False)},
    "SRSStatus": {"circuit_id": (1, STRING, False), "tier": (2, ENUM, False), "size_bytes": (3, U64, False),
                  "ref_count": (4, U32, False)},
    "QueueStatus": {"proof_kind": (1, STRING, False), "pending": (2, U32, False), "in_progress": (3, U32, False)},
    "PreloadSrsRequest": {"circuit_id": (1, STRING, False)},
    "PreloadSrsResponse": {"already_loaded": (1, BOOL, False), "load_time_ms": (2, U64, False)},
    "EvictSrsRequest": {"circuit_id": (1, STRING, False)},
    "EvictSrsResponse": {"was_loaded": (1, BOOL, False), "freed_bytes": (2, U64, False)},
    "GetMetricsResponse": {"prometheus_text": (1, STRING, False)},
}

METHODS = {"SubmitProof": ("SubmitProofRequest", "SubmitProofResponse"),
           "AwaitProof": ("AwaitProofRequest", "AwaitProofResponse"),
           "Prove": ("ProveRequest", "ProveResponse"),
           "CancelProof": ("CancelProofRequest", "CancelProofResponse"),
           "GetStatus": ("GetStatusRequest", "GetStatusResponse"),
           "GetMetrics": ("GetMetricsRequest", "GetMetricsResponse"),
           "PreloadSRS": ("PreloadSrsRequest", "PreloadSrsResponse"),
           "EvictSRS": ("EvictSrsRequest", "EvictSrsResponse")}


def check(descriptor):
    """`descriptor`: of the generated file. Our own additions may be there; what the contract has must be as it says."""
    types = {getattr(descriptor_class(), "TYPE_" + name.upper()): name for name in (U64, U32, STRING, BYTES, BOOL, ENUM,
                                                                                      MESSAGE)}
    assert descriptor.package == "cuzk.v1", descriptor.package
    for name, values in ENUMS.items():
        *outer, own = name.split(".")
        enums = descriptor.message_types_by_name[outer[0]].enum_types_by_name if outer else descriptor.enum_types_by_name
        found = {value.name: value.number for value in enums[own].values}
        assert found == values, (name, found)
    for name, fields in MESSAGES.items():
        found = {field.name: (field.number, types.get(field.type), field.label == field.LABEL_REPEATED)
                 for field in descriptor.message_types_by_name[name].fields}
        for field, expected in fields.items():
            assert found.get(field) == expected, (name, field, found.get(field), expected)
    service = descriptor.services_by_name["ProvingEngine"]
    assert service.full_name == "cuzk.v1.ProvingEngine"
    for name, expected in METHODS.items():
        method = service.methods_by_name[name]
        assert (method.input_type.name, method.output_type.name) == expected, name


def descriptor_class():
    from google.protobuf.descriptor import FieldDescriptor
    return FieldDescriptor
