package import BackendKit
import ConsoleOutput
package import ConsoleSystem

/// The variables of a script, and the values of references.
package struct Scope: Sendable {
  package enum Binding: Sendable {
    case known(ScriptResult)
    /// A value known only during a run.
    case unknown
  }

  /// Names that are not variables.
  package static let reserved = ["last", "error", "env", "now"]

  private var variables: [String: Binding] = ["error": .known(.value(.null))]
  /// The sizes of the variables set by the script, in bytes.
  private var sizes: [String: Int] = [:]
  /// The text used for a value that is known only during a run.
  package var sample = ""
  /// The arguments after `--` on the outer command line.
  package var arguments: [String] = []
  package var environment: [String: String] = [:]

  /// No variables except `error`, which is null until something fails.
  package init() {}

  package mutating func set(_ name: String, to binding: Binding) { variables[name] = binding }

  /// Sets a variable from a script. Throws if it or all of them would take too much memory.
  package mutating func assign(_ name: String, _ result: ScriptResult) throws(UsageError) {
    let size = result.roughSize
    // A text of exactly the maximum length is still allowed.
    guard size <= MemoryLimit.one + 1_024 else {
      throw UsageError("@\(name) would take \(size >> 20) MiB; a variable takes at most \(MemoryLimit.one >> 20) MiB")
    }
    let all = sizes.reduce(size) { $0 + ($1.key == name ? 0 : $1.value) }
    guard all <= MemoryLimit.all else {
      throw UsageError(
        "@\(name) and the other variables would take \(all >> 20) MiB; together they take at most \(MemoryLimit.all >> 20) MiB",
        hint: "set @NAME '' empties one")
    }
    sizes[name] = size
    variables[name] = .known(result)
  }

  /// Restores a variable's previous binding; nil if it was not set.
  package mutating func restore(_ name: String, _ binding: Binding?) {
    variables[name] = binding
    if case .known(let result)? = binding, !Self.reserved.contains(name) {
      sizes[name] = result.roughSize
    } else {
      sizes[name] = nil
    }
  }

  package func binding(of name: String) -> Binding? { variables[name] }

  package var names: [String] { variables.keys.sorted() }

  /// All variables, each with the names of its parts.
  package var parts: [String: [String]] {
    variables.mapValues { binding in
      guard case .known(let result) = binding else { return [] }
      return result.parts
    }
  }

  /// Words with their values inserted. Throws if these exceed the limit for all variables.
  package func resolved(_ words: [Word]) throws(UsageError) -> [Word] {
    var size = 0
    return try words.map { word throws(UsageError) in
      let resolved = try resolved(word)
      if !resolved.insertions.isEmpty { size += resolved.text.utf8.count }
      guard size <= MemoryLimit.all else {
        throw UsageError(
          "the values of variables in this command are longer than \(MemoryLimit.all >> 20) MiB", column: word.column)
      }
      return resolved
    }
  }

  /// A word with its values inserted.
  package func resolved(_ word: Word) throws(UsageError) -> Word {
    if word.references.isEmpty { return word }
    if word.isVerbatim { return try bound(word) }
    let bytes = Array(word.text.utf8)
    var text: [UInt8] = []
    var result = word
    var end = 0
    for reference in word.references {
      text += bytes[end..<reference.offset]
      end = reference.offset
      let start = text.count
      let value: Value?
      switch try self.value(of: reference) {
      case .unknown?: value = nil
      case .known(let result)?: value = result.value
      case nil: throw unset(reference)
      }
      // Null is a value by itself, as in `FIELD=$name`, and empty within a text.
      let isWhole =
        word.references.count == 1 && end == bytes.count && !word.startsQuoted && text.count > 1
        && text.firstIndex(of: UInt8(ascii: "=")) == text.count - 1 && !text.contains(UInt8(ascii: "?"))
      if case .null? = value, !reference.isJSON, !isWhole {
        throw UsageError(
          "\(reference.shown) is null", hint: "${\(reference.shown.dropFirst()):-TEXT} uses TEXT instead",
          column: reference.column)
      }
      if value == nil { text += sample.utf8 }
      if let value { text += (reference.isJSON ? JSONWriter.compact(value) : Self.text(value)).utf8 }
      try MemoryLimit.check(text.count, at: reference.column)
      let isNow = reference.name == "now" && reference.steps.isEmpty
      result.insertions.append(Word.Insertion(range: start..<text.count, value: value, isNow: isNow))
    }
    text += bytes[end...]
    result.text = String(decoding: text, as: UTF8.self)
    if word.references.first?.offset == 0 { result.startsQuoted = true }
    result.isQuoted = true
    result.references = []
    return result
  }

  /// A word in which the names of parameters stand for values.
  private func bound(_ word: Word) throws(UsageError) -> Word {
    var result = word
    let bytes = Array(word.text.utf8)
    for reference in word.references {
      guard let binding = try value(of: reference) else { throw unset(reference) }
      let end = bytes[(reference.offset + 1)...].prefix(while: VariableReference.isNameByte).endIndex
      let value: Value? = if case .known(let result) = binding { result.value } else { nil }
      result.insertions.append(Word.Insertion(range: reference.offset..<end, value: value))
    }
    result.references = []
    return result
  }

  /// Returns the value of a reference; nil if it is not set and has no fallback. The fallback is not used for an
  /// unknown value.
  package func value(of reference: VariableReference) throws(UsageError) -> Binding? {
    let found: Binding?
    do throws(UsageError) {
      found = try find(reference)
    } catch {
      throw error.at(reference.column)
    }
    guard let fallback = reference.fallback else {
      return found ?? (reference.isOptional ? .known(.value(.null)) : nil)
    }
    switch found {
    case nil: return .known(.value(.string(fallback)))
    case .known(let result)? where result.value == .null: return .known(.value(.string(fallback)))
    default: return found
    }
  }

  private func find(_ reference: VariableReference) throws(UsageError) -> Binding? {
    let name = reference.name
    let steps = reference.steps
    if name == "env" {
      guard case .member(let variable)? = steps.first, steps.count == 1 else {
        throw UsageError("$env needs the name of a variable", hint: "$env.HOME")
      }
      try Restriction.current.check(variable: variable)
      if environment[variable] == nil, Environment.isUnreadable(variable) {
        throw UsageError("the environment variable \(variable) is not valid UTF-8")
      }
      return environment[variable].map { .known(.value(.string($0))) }
    }
    if let number = Int(name) {
      guard number >= 1, number <= arguments.count else { return nil }
      guard steps.isEmpty else {
        throw UsageError("$\(name) is text and has no parts", hint: "${\(name)} ends the name")
      }
      return .known(.value(.string(arguments[number - 1])))
    }
    if name == "now", steps.isEmpty {
      try Preview.refuseClock()
      return .known(.value(.string(ClockTime.now())))
    }
    guard let binding = variables[name] else { return nil }
    guard case .known(let result) = binding else { return .unknown }
    if steps.isEmpty { return binding }
    return try result.value(at: steps, of: name).map { .known(.value($0)) }
  }

  /// The error for a reference to nothing.
  package func unset(_ reference: VariableReference) -> UsageError {
    let shown = reference.shown
    let hint =
      if Int(reference.name) != nil {
        "switchboard -f FILE -- VALUE ... passes arguments to a script"
      } else if reference.name == "env" {
        "there is no such environment variable; \(reference.fallbackExample) uses TEXT instead"
      } else if reference.name == "last", reference.steps.isEmpty {
        "no earlier command had a result"
      } else if reference.steps.isEmpty, let near = SpellingSuggestion.suggestion(for: reference.name, among: names) {
        "did you mean $\(near)?"
      } else if reference.steps.isEmpty {
        "set @\(reference.name) VALUE sets it; \\$ is a dollar sign"
      } else {
        "\(reference.fallbackExample) uses TEXT instead"
      }
    return UsageError("\(shown) is not set", hint: hint, column: reference.column)
  }

  /// A value as text within a word.
  package static func text(_ value: Value) -> String { value == .null ? "" : value.plainText }
}

extension VariableReference {
  fileprivate var fallbackExample: String { "${\(shown.dropFirst()):-TEXT}" }
}
