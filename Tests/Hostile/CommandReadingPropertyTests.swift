import Testing

@testable import CommandLanguage
@testable import Console

@Suite("Every line of a command is read in one way") struct CommandReadingPropertyTests {
  @Test("a target that becomes known later changes no kind", arguments: CommandLines.all)
  func bound(_ lines: CommandLines) throws {
    for line in lines.lines(target: "it/todos") {
      guard let words = try? LineLexer.words(in: line), words.first?.text == lines.name else { continue }
      let reading = CommandReading(words.dropFirst(), of: lines.command)
      for isNamed in [true, false] {
        let known = reading.bound { _, _ in isNamed }
        let unknown = reading.bound { _, _ in nil }
        let later = unknown.bound { _, _ in isNamed }
        #expect(known.isBound && later.arguments.map(\.kind) == known.arguments.map(\.kind), "\(line)")
        #expect(later.form == known.form && Array(later.remaining) == Array(known.remaining), "\(line)")
        #expect(unknown.arguments.map(\.kind) == known.arguments.prefix(unknown.arguments.count).map(\.kind), "\(line)")
      }
      // A run takes the words that everything else has looked at.
      guard let invocation = try? Invocation(reading) else { continue }
      #expect(invocation.words.map(\.text) == reading.words.map(\.text) + (reading.line ?? []).map(\.text), "\(line)")
      for word in words.dropFirst() where word.startsQuoted {
        let values = reading.options.compactMap(\.value)
        #expect((invocation.words + values).contains { $0.text == word.text }, "\(line)")
      }
    }
  }
}
