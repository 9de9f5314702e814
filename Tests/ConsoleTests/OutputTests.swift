import ConsoleSystem
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ConsoleOutput

@Suite("Output") final class OutputTests {
  private let folder: TemporaryFolder
  private let descriptor: Int32
  private let output: Output

  init() throws {
    folder = try TemporaryFolder()
    descriptor = open(folder.path + "/out", O_RDWR | O_CREAT, 0o600)
    try #require(descriptor >= 0)
    output = Output(descriptor: descriptor)
  }

  deinit { close(descriptor) }

  private var written: String { get throws { try String(contentsOfFile: folder.path + "/out", encoding: .utf8) } }

  @Test("text left for later is made when there is time, and once") func settling() throws {
    let made = Atomic(0)
    output.writeLater {
      made.add(1, ordering: .relaxed)
      return "first\n"
    }
    #expect(output.isUnsettled)
    #expect(made.load(ordering: .relaxed) == 0)
    output.settle()
    output.settle()
    #expect(!output.isUnsettled)
    #expect(made.load(ordering: .relaxed) == 1)
    output.flush()
    #expect(try written == "first\n")
  }

  @Test("text left for later stands before what is written after it") func order() throws {
    output.write("a")
    output.writeLater { "b" }
    output.writeLater { "c" }
    output.write("d")
    output.flush()
    #expect(try written == "abcd")
  }

  @Test("writing out makes the text that was left for later") func flushing() throws {
    output.writeLater { "whole" }
    output.flush()
    #expect(try written == "whole")
  }

  @Test("the file of a copy is closed where the copy ends") func copy() throws {
    let path = folder.path + "/copy"
    func opened() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
      }
    }
    output.copy(to: try OutputCopy(addingTo: path))
    output.write("a")
    output.flush()
    #expect(try opened() == 1)
    output.copy(to: nil)
    #expect(try opened() == 0)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "a")
  }
}
