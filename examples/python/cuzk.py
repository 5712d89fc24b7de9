"""cuzk in process: the functions of cuzk.h that a program needs to make proofs, by ctypes.

    with Engine('[srs]\\nparam_cache = "/var/tmp/filecoin-proof-parameters"\\n') as engine:
        job = engine.submit(WINNING_POST, vanilla_proofs=[...], randomness=..., registered_proof=3, sector_size=32 << 30)
        proof = job.wait(progress=print)

A wait holds no lock of the interpreter; Ctrl-C ends it, and the job goes on. CUZK_LIBRARY names another libcuzk.so.1.
"""
import ctypes
import json
import os
from ctypes import POINTER, Structure, byref, c_char_p, c_double, c_int32, c_size_t, c_uint32, c_uint64, c_void_p

POREP, SNAP, WINDOW_POST, WINNING_POST = 1, 2, 3, 4
STATES = {1: "queued", 2: "running", 3: "completed", 4: "failed", 5: "cancelled", 6: "timed out"}
DEADLINE = 5
LOOK_MS = 200  # how late Ctrl-C is seen


class _Bytes(Structure):
    _fields_ = [("data", c_char_p), ("size", c_size_t)]


class _Request(Structure):
    _fields_ = [("struct_size", c_size_t), ("request_id", c_char_p), ("kind", c_int32), ("priority", c_int32),
                ("sector_size", c_uint64), ("registered_proof", c_uint64), ("vanilla_proof", _Bytes),
                ("vanilla_proofs", POINTER(_Bytes)), ("vanilla_proof_count", c_size_t), ("sector_number", c_uint64),
                ("miner_id", c_uint64), ("randomness", _Bytes), ("partition_index", c_uint32), ("reserved", c_uint32),
                ("comm_r_old", _Bytes), ("comm_r_new", _Bytes), ("comm_d_new", _Bytes), ("deadline_ms", c_uint64)]


class _Progress(Structure):
    _fields_ = [("state", c_int32), ("partitions_done", c_uint32), ("partitions", c_uint32), ("reserved", c_uint32),
                ("percent", c_double), ("stage", c_char_p), ("stage_done", c_uint64), ("stage_total", c_uint64)]


_Callback = ctypes.CFUNCTYPE(c_int32, POINTER(_Progress), c_void_p)

_library = ctypes.CDLL(os.environ.get("CUZK_LIBRARY", "libcuzk.so.1"))


def _declare(name, result, *arguments):
    function = getattr(_library, name)
    function.restype, function.argtypes = result, arguments
    return function


_error_code = _declare("cuzk_error_code", c_int32, c_void_p)
_error_message = _declare("cuzk_error_message", c_char_p, c_void_p)
_error_destroy = _declare("cuzk_error_destroy", None, c_void_p)
_text_destroy = _declare("cuzk_text_destroy", None, c_void_p)
_engine_create = _declare("cuzk_engine_create", c_void_p, c_char_p, c_size_t, POINTER(c_void_p))
_engine_status = _declare("cuzk_engine_status", c_void_p, c_void_p, POINTER(c_void_p), POINTER(c_size_t))
_engine_destroy = _declare("cuzk_engine_destroy", None, c_void_p)
_submit = _declare("cuzk_submit", c_void_p, c_void_p, POINTER(_Request), POINTER(c_void_p))
_verify = _declare("cuzk_verify", c_void_p, c_void_p, POINTER(_Request), c_char_p, c_size_t, POINTER(c_int32))
_job_id = _declare("cuzk_job_id", c_char_p, c_void_p)
_job_wait = _declare("cuzk_job_wait", c_void_p, c_void_p, c_uint64, _Callback, c_void_p, POINTER(c_void_p))
_job_cancel = _declare("cuzk_job_cancel", c_void_p, c_void_p)
_job_destroy = _declare("cuzk_job_destroy", None, c_void_p)
_result_state = _declare("cuzk_result_state", c_int32, c_void_p)
_result_message = _declare("cuzk_result_message", c_char_p, c_void_p)
_result_proof = _declare("cuzk_result_proof", c_void_p, c_void_p, POINTER(c_size_t))
_result_destroy = _declare("cuzk_result_destroy", None, c_void_p)


class Error(Exception):
    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


def _check(error):
    if not error:
        return
    code, message = _error_code(error), _error_message(error).decode()
    _error_destroy(error)
    raise Error(code, message)


def _bytes(value):
    return _Bytes(value, len(value))


def _request(kind, *, request_id="", priority=0, vanilla_proof=b"", vanilla_proofs=(), randomness=b"", comm_r_old=b"",
             comm_r_new=b"", comm_d_new=b"", **numbers):
    """numbers: sector_size, registered_proof, sector_number, miner_id, partition_index, deadline_ms"""
    proofs = (_Bytes * len(vanilla_proofs))(*map(_bytes, vanilla_proofs))
    return _Request(struct_size=ctypes.sizeof(_Request), request_id=request_id.encode(), kind=kind, priority=priority,
                    vanilla_proof=_bytes(vanilla_proof), vanilla_proofs=proofs, vanilla_proof_count=len(proofs),
                    randomness=_bytes(randomness), comm_r_old=_bytes(comm_r_old), comm_r_new=_bytes(comm_r_new),
                    comm_d_new=_bytes(comm_d_new), **numbers)


class Engine:
    """Ends with its `with` block: jobs that have not ended are cancelled then."""

    def __init__(self, config=""):
        text = config.encode()
        self._handle = c_void_p()
        _check(_engine_create(text, len(text), byref(self._handle)))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        _engine_destroy(self._handle)

    def submit(self, kind, **fields):
        handle = c_void_p()
        _check(_submit(self._handle, _request(kind, **fields), byref(handle)))
        return Job(handle)

    def verify(self, proof, kind, **fields):
        valid = c_int32()
        _check(_verify(self._handle, _request(kind, **fields), proof, len(proof), byref(valid)))
        return valid.value == 1

    def status(self):
        text, size = c_void_p(), c_size_t()
        _check(_engine_status(self._handle, byref(text), byref(size)))
        try:
            return json.loads(ctypes.string_at(text, size.value))
        finally:
            _text_destroy(text)


class Job:
    def __init__(self, handle):
        self._handle = handle

    def __del__(self):
        _job_destroy(self._handle)

    @property
    def id(self):
        return _job_id(self._handle).decode()

    def cancel(self):
        _check(_job_cancel(self._handle))

    def wait(self, progress=None):
        """The proof's bytes. progress(state, stage, percent) is told of changes. Raises Error where there is no proof."""
        told = []

        def tell(now, _):
            what = STATES[now.contents.state], now.contents.stage.decode(), now.contents.percent
            if progress and list(what) != told:
                progress(*what)
            told[:] = what
            return 0

        result, callback = c_void_p(), _Callback(tell)
        while True:
            try:
                _check(_job_wait(self._handle, LOOK_MS, callback, None, byref(result)))
                break
            except Error as error:
                if error.code != DEADLINE:
                    raise
        try:
            return self._proof_of(result)
        finally:
            _result_destroy(result)

    @staticmethod
    def _proof_of(result):
        state = STATES[_result_state(result)]
        if state != "completed":
            raise Error(0, f"{state}: {_result_message(result).decode()}")
        size = c_size_t()
        return ctypes.string_at(_result_proof(result, byref(size)), size.value)
