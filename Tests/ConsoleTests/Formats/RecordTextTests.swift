import BackendKit
import Testing

@testable import ConsoleOutput

@Suite("Records that are interrupted") struct RecordTextTests {
  private let records = (1...150).map { Sample.record($0, ["title": .string("title-\($0)-")]) }

  private func cut(_ text: RecordText) async -> (text: String, isCut: Bool) {
    await Task { [records] in
      withUnsafeCurrentTask { $0?.cancel() }
      var text = text
      let written = text.add(records) + text.finish()
      return (written, text.isCut)
    }.value
  }

  @Test("Nothing is made of the others, and the document is left open", arguments: OutputFormat.allCases)
  func interrupted(format: OutputFormat) async {
    for presentation in [Presentation(), Presentation(width: 100, isTerminal: true)] {
      let (text, isCut) = await cut(format.printer(presentation))
      #expect(isCut)
      #expect(!text.contains("title-2-") && text.split(separator: "\n").count < 10, "\(text)")
      #expect(!text.hasSuffix("]\n"))
    }
  }

  @Test("A single record is whole, and so is what was done", arguments: OutputFormat.allCases)
  func reported(format: OutputFormat) async {
    let one = await Task { [records] in
      withUnsafeCurrentTask { $0?.cancel() }
      var text = format.printer(Presentation(isSingle: true))
      return text.add([records[0]]) + text.finish()
    }.value
    var plain = format.printer(Presentation(isSingle: true))
    #expect(one == plain.add([records[0]]) + plain.finish())
    var done = format.printer(Presentation())
    done.tellsAll = true
    let (text, isCut) = await cut(done)
    var whole = format.printer(Presentation())
    #expect(!isCut && text == whole.add(records) + whole.finish())
  }
}
