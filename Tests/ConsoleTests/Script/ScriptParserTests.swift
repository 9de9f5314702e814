import TestSupport
import Testing

@testable import CommandLanguage
@testable import Console
@testable import ConsoleSystem

/// A form of a parsed script that shows all but the positions.
private func shape(_ nodes: [ScriptNode]) -> String { nodes.map(shape).joined(separator: ";") }

private func shape(_ node: ScriptNode) -> String {
  switch node {
  case .command(let command): "command(\(shape(command)))"
  case .assign(let name, let value, _): "set(\(name),\(shape(value)))"
  case .assumption(let value, _): "assume(\(shape(value)))"
  case .leave(let isBreak, _): "leave(\(isBreak))"
  case .capture(let name, let command): "capture(\(name),\(shape(command)))"
  case .loop(let name, .command(let command), let body, _): "for(\(name),\(shape(command)),[\(shape(body))])"
  case .loop(let name, .values(let values), let body, _):
    "for(\(name),\(values.map(shape).joined(separator: ",")),[\(shape(body))])"
  case .retry(let count, let every, let body, _):
    "retry(\(shape(count)),\(every.map(shape) ?? "-"),[\(shape(body))])"
  case .choice(let condition, let then, let otherwise, _):
    "if(\(shape(condition)),[\(shape(then))],[\(shape(otherwise))])"
  case .attempt(let body, let otherwise, _): "try([\(shape(body))],\(otherwise.map { "[\(shape($0))]" } ?? "-"))"
  case .expectation(let condition, let name, _): "expect(\(shape(condition))\(name.map { ",\(shape($0))" } ?? ""))"
  case .onError(let continues, _): "on-error(\(continues))"
  case .exit(let word, _): "exit(\(word.map(shape) ?? ""))"
  }
}

private func shape(_ command: ScriptCommand) -> String {
  command.line.words.map(shape).joined(separator: ",") + "|\(command.line.pipeline ?? "-")|\(command.line.shell ?? "-")"
}

private func shape(_ word: Word) -> String {
  let references = word.references.map { "\($0.offset):\($0.spelling)\($0.isJSON)" }.joined(separator: " ")
  return "<\(word.text.debugDescription) \(word.isQuoted) \(word.startsQuoted) \(references)>"
}

private func shape(_ condition: Condition) -> String {
  switch condition {
  case .all(let conditions): "all(\(conditions.map(shape).joined(separator: ",")))"
  case .any(let conditions): "any(\(conditions.map(shape).joined(separator: ",")))"
  case .not(let inner): "not \(shape(inner))"
  case .truth(let word): shape(word)
  case .compare(let left, let sign, let right): "\(shape(left))\(sign)\(shape(right))"
  case .kind(let word, let isNegated, let kind): "\(shape(word))\(isNegated)\(kind)"
  case .count(let sign, let word): "count\(sign)\(shape(word))"
  case .command(let command, let sign, let word):
    "(\(shape(command)))\(sign.map { "\($0)" } ?? "")\(word.map(shape) ?? "")"
  case .status(let sign, let word): "status\(sign)\(shape(word))"
  case .header(let name, let sign, let word): "header \(name)\(sign.map { "\($0)" } ?? "")\(word.map(shape) ?? "")"
  case .error(let code): "error\(code ?? "")"
  case .same(let first, let second): "same(\(shape(first)))(\(shape(second)))"
  }
}

@Suite("Scripts taken apart") struct ScriptParserTests {
  /// The statements of a script, and what is wrong with it.
  private func parse(_ text: String) -> (nodes: [ScriptNode], wrong: [String]) {
    var parser = ScriptParser()
    var nodes: [ScriptNode] = []
    var wrong: [String] = []
    var reader = StatementReader()
    try? reader.feed(text.utf8)
    reader.finish()
    while true {
      do {
        guard let statement = try reader.next() else { break }
        if let node = try parser.add(statement) { nodes.append(node) }
      } catch let error as UsageError {
        wrong.append(error.message)
      } catch {
        wrong.append("\(error)")
      }
    }
    if let (_, error, node) = parser.finish() {
      wrong.append(error.message)
      if let node { nodes.append(node) }
    }
    return (nodes, wrong)
  }

  @Test(
    "each rule of the grammar, and what it is taken apart into",
    arguments: [
      ("set @a b", "set(a,<\"b\" false false >)"),
      ("set perPage 3", "command(<\"set\" false false >,<\"perPage\" false false >,<\"3\" false false >|-|-)"),
      ("set @a $b", "set(a,<\"\" false false 0:${b}false>)"),
      ("capture n = count x", "capture(n,<\"count\" false false >,<\"x\" false false >|-|-)"),
      ("on-error stop", "on-error(false)"), ("exit", "exit()"), ("exit 3", "exit(<\"3\" false false >)"),
      ("expect error notFound", "expect(errornotFound)"),
      ("expect status 404", "expect(statusequal<\"404\" false false >)"),
      ("expect count >= 3", "expect(countgreaterOrEqual<\"3\" false false >)"),
      (
        "if not (list a b=\"c d\") > 2\nend",
        "if(not (<\"list\" false false >,<\"a\" false false >,<\"b=c d\" true false >|-|-)greater<\"2\" false false >,[],[])"
      ), ("try\nelse\nend", "try([],[])"), ("try\nend", "try([],-)"),
      (
        "for r in (list)\nget $r.id\nend",
        "for(r,<\"list\" false false >|-|-,[command(<\"get\" false false >,<\"\" false false 0:${r.id}false>|-|-)])"
      ),
      ("expect $a is not null", "expect(<\"\" false false 0:${a}false>truenull)"),
      ("list | sort", "command(<\"list\" false false >|sort|-)"), ("!ls 'x", "command(|-|ls 'x)"),
      (
        "create a:={\"b\": $c, \"d\": \"$e\"}",
        "command(<\"create\" false false >,<\"a:={\\\"b\\\": , \\\"d\\\": \\\"$e\\\"}\" false false 9:${c}true>|-|-)"
      ),
      (
        "get ${a[\"b c\"][0].d:-x\\}y}",
        "command(<\"get\" false false >,<\"\" false false 0:${a[\"b c\"][0].d:-x\\}y}false>|-|-)"
      ),
      (
        "get '$a' \"$b\" \\$c $ $-",
        "command(<\"get\" false false >,<\"$a\" true true >,<\"\" true true 0:${b}false>,<\"$c\" false true >,<\"$\" false false >,<\"$-\" false false >|-|-)"
      ),
    ])
  func rules(text: String, expected: String) {
    let (nodes, wrong) = parse(text)
    #expect(wrong.isEmpty)
    #expect(shape(nodes) == expected)
  }

  @Test(
    "what is not a statement is reported",
    arguments: [
      ("end", "end without for, if or try"), ("else", "else without if or try"),
      ("if", "if needs a condition"),
      ("for", "for needs a name"), ("for x of (list)\nend", "expected \"in\" after the name"),
      ("for x in list\nend", "for x in needs a command in parentheses, or values"),
      ("try now\nend", "try must be alone on its line"),
      ("if $a = 1", "if is not closed by end"), ("for last in (list)\nend", "\"last\" is set by the console"),
      ("set @now 5", "\"now\" is set by the console"),
      ("set @1a b", "\"1a\" is not a valid variable name"), ("set @a", "@a needs a value"),
      ("set @a b c", "set @a takes one value"),
      ("capture a create", "expected = after the name"), ("expect error nope", "unknown error code \"nope\""),
      ("expect 1", "\"1\" is not a condition"), ("exit 256", "exit takes a number from 0 to 255, not \"256\""),
      ("on-error go", "on-error needs stop or continue"), ("get ${a", "the ${ at column 5 is not a variable reference"),
      ("if (list\nend", "the ( at column 4 is not closed"),
      ("expect same (list)", "same needs two commands in parentheses"),
      ("for x in (list)\nelse\nend", "else without if or try"),
      ("expect $a = 1 2", "expected one value after the operator"),
    ])
  func refusals(text: String, message: String) { #expect(parse(text).wrong.first == message) }

  @Test("blocks nest no deeper than is bearable") func depth() {
    let deep = String(repeating: "try\n", count: 65) + String(repeating: "end\n", count: 65)
    #expect(parse(deep).wrong.first == "blocks are nested deeper than 64")
    let sound = String(repeating: "try\n", count: 64) + String(repeating: "end\n", count: 64)
    #expect(parse(sound).wrong.isEmpty)
  }

  @Test("a random script is printed and read again as the same", arguments: 0..<20) func roundTrip(seed: Int) {
    var generator = ScriptGenerator(dice: SeededGenerator(seed: UInt64(seed)))
    for _ in 0..<200 {
      let text = generator.script()
      let (nodes, wrong) = parse(text)
      #expect(wrong.isEmpty, "\(text)")
      let printed = ScriptPrinter.text(nodes)
      let again = parse(printed)
      #expect(again.wrong.isEmpty, "\(text)\nprinted:\n\(printed)")
      #expect(shape(again.nodes) == shape(nodes), "\(text)\nprinted:\n\(printed)")
    }
  }

  @Test("a damaged script is refused or taken, and never more than that", arguments: 0..<20) func damage(seed: Int) {
    var generator = ScriptGenerator(dice: SeededGenerator(seed: UInt64(seed) &+ 1000))
    for _ in 0..<200 {
      let text = generator.damagedScript()
      let (nodes, wrong) = parse(text)
      guard wrong.isEmpty else { continue }
      let printed = ScriptPrinter.text(nodes)
      #expect(shape(parse(printed).nodes) == shape(nodes), "\(text)\nprinted:\n\(printed)")
    }
  }
}
