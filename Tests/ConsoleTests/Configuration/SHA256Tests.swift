import BackendKit
import Foundation
import TestSupport
import Testing

@Suite struct SHA256Tests {
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
  ])
  func `The published digests come out`(_ text: String, _ digest: String) {
    #expect(SHA256.hex(Array(text.utf8)) == digest)
  }

  @Test(arguments: [1, 55, 56, 57, 63, 64, 65, 119, 120, 1_000, 70_001])
  func `Digests agree with sha256sum around the ends of blocks`(_ length: Int) throws {
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ length) }
    let folder = try TemporaryFolder()
    try Data(bytes).write(to: URL(fileURLWithPath: folder.path + "/bytes"))
    let printed = try Program.run("sha256sum", folder.path + "/bytes")
    #expect(printed.hasPrefix(SHA256.hex(bytes) + " "))
    for size in [1, 63, 64, 65, 1_000] {
      var digest = SHA256()
      for start in stride(from: 0, to: length, by: size) { digest.add(Array(bytes[start..<min(start + size, length)])) }
      #expect(digest.hex == SHA256.hex(bytes), "in pieces of \(size)")
    }
  }
}
