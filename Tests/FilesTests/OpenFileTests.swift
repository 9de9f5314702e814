import Files
import Foundation
import TestSupport
import Testing

@Suite struct OpenFileTests {
  @Test func `A file is read to its end, unless it is longer than the limit`() throws {
    let folder = try TemporaryFolder()
    let content = [UInt8]((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
    let path = folder.path + "/content"
    try Data(content).write(to: URL(fileURLWithPath: path))
    for (limit, expected) in [(200_000, content), (.max, content), (199_999, nil)] as [(Int, [UInt8]?)] {
      let descriptor = open(path, O_RDONLY)
      defer { close(descriptor) }
      #expect(try OpenFile.rest(of: descriptor, limit: limit) == expected, "\(limit)")
    }
    let descriptor = open(path, O_RDONLY)
    defer { close(descriptor) }
    #expect(try OpenFile.bytes(100..<150, of: descriptor) == Array(content[100..<150]))
    #expect(try OpenFile.bytes(199_990..<200_010, of: descriptor) == Array(content[199_990...]))
    #expect(throws: FileFailure.self) { try OpenFile.write([1], to: descriptor) }
  }

  @Test func `A reader who is slow gets everything`() async throws {
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    let (reader, writer) = (ends[0], ends[1])
    defer { close(reader) }
    let content = [UInt8](repeating: 0x61, count: 1 << 20)
    // A thread of its own, since it blocks.
    Thread {
      #expect(throws: Never.self) { try OpenFile.write(content, to: writer) }
      close(writer)
    }.start()
    // The pipe is full before anything is read.
    var state = pollfd(fd: writer, events: Int16(POLLOUT), revents: 0)
    while poll(&state, 1, 0) != 0 { await Task.yield() }
    #expect(try OpenFile.rest(of: reader) == content)
  }
}
