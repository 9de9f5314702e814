/// The entry points of libFuzzer: `Scripts/fuzz` builds this target with `--sanitize fuzzer` and runs it once for each
/// ``FuzzTarget``.
///
/// A run ends at the first trap, memory error, broken property, or input that takes longer than its time limit.
import Glibc

/// Which target this process runs; chosen by the environment variable `SWITCHBOARD_FUZZ_TARGET`.
private let target: FuzzTarget = {
  let name = getenv("SWITCHBOARD_FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = FuzzTarget(rawValue: name) else {
    let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
    say("SWITCHBOARD_FUZZ_TARGET is not a target: one of \(names)")
    exit(2)
  }
  return target
}()

/// One input of libFuzzer.
@c(LLVMFuzzerTestOneInput)
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target.run(Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}

/// Ends the process where a property does not hold, so that libFuzzer keeps the input.
func require(_ condition: @autoclosure () -> Bool, _ property: String) {
  guard !condition() else { return }
  say("property broken: \(property)")
  abort()
}

private func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = bytes.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
}
