import BackendKit

/// A plugin implemented by a program: its description of itself and its service, as the values of an adapter in Swift.
///
/// The plugin for service descriptions reads its description, so that both have one format and one engine.
struct ProgramPlugin: Sendable {
  /// The version of the protocol.
  static let version = 1

  private let process: PluginProcess
  private let reader: Plugin

  init(_ process: PluginProcess, reader: Plugin) {
    self.process = process
    self.reader = reader
  }

  /// Asks the program for its greeting. Throws if it does not implement this protocol, or its description has mistakes.
  func plugin(in file: PluginFile) throws(PluginError) -> Plugin {
    do throws(ProgramFailure) {
      let hello: ProgramHello
      switch try process.ask("hello", Object([("switchboard", .int(Self.version))])) {
      case .success(let answer):
        do throws(ProgramMistake) { hello = try ProgramHello(ProgramReading(answer, "hello"), name: file.name) } catch {
          throw process.refuse(error.clause)
        }
      case .failure(let refusal): throw process.refuse("refused to start: \(refusal.message)")
      }
      return try plugin(hello)
    } catch {
      throw PluginError(file.name, file: file.path, error.message)
    }
  }

  private func plugin(_ hello: ProgramHello) throws(ProgramFailure) -> Plugin {
    let described = ProgramDescription(process: process, hello: hello)
    let usual = Plugin(
      name: hello.name, version: hello.version, summary: hello.summary, options: hello.options,
      prepare: { [reader] settings throws(BackendError) in
        try reader.describing(try described.source(settings.options, backend: settings.name))
          .prepare(BackendSettings(name: settings.name, options: Object()))
      })
    let login: LoginScheme?
    do {
      login = try reader.describing(try described.source(Object(), backend: hello.name)).login
    } catch {
      // Errors are reported when a backend is prepared, with its options.
      return usual
    }
    // A program is confined because its own word cannot be trusted.
    if let method = login?.identity?.method, !RequestEffect.readingMethods.contains(method) {
      throw process.refuse("uses \(method) to ask who is logged in; only GET is a read")
    }
    return Plugin(
      name: usual.name, version: usual.version, summary: usual.summary, options: usual.options, login: login,
      prepare: usual.prepare)
  }
}

/// The description of a program's service, with the program's hooks.
struct ProgramDescription: Sendable {
  let process: PluginProcess
  let hello: ProgramHello

  /// The description for these options with defaults, in the form of the plugin for service descriptions.
  func source(_ options: Object, backend: String) throws(BackendError) -> DescriptionSource {
    var whole = options
    for option in hello.options where options[option.name] == nil { whole[option.name] = option.defaultValue }
    let hooks = ProgramHooks(process: process, options: hello.options.isEmpty ? nil : whole)
    let answer: Object
    switch try hooks.ask("describe", Object(), .notSent) {
    case .success(let given): answer = given
    case .failure(let refusal): throw refusal.error(.misconfigured)
    }
    guard var description = answer["description"]?.object, answer.count == 1 else {
      throw process.refuse("answered the question describe without a description").error()
    }
    guard description["hooks"] == nil else {
      throw process.refuse("described its service with hooks, which belong in its answer to hello").error()
    }
    let named = hello.answers.map { ($0.rawValue, Value.string("\(hello.name)/itself")) }
    if !named.isEmpty { description["hooks"] = .object(Object(named)) }
    var bytes: [UInt8] = []
    JSONWriter.write(.object(description), to: &bytes)
    let functions = hooks.functions(hello.answers)
    return DescriptionSource(
      backend: backend, file: DescriptionSource.File(name: "the description of \(hello.name).json", bytes: bytes),
      hooks: { _, _ in functions })
  }
}
