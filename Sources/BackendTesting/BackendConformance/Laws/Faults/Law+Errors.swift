import BackendKit

extension Law {
  static let errors: [Law] = [
    code("read returns 401", 401, [.unauthorized], "a 401 response throws `unauthorized`."),
    code("read returns 403", 403, [.forbidden], "a 403 response throws `forbidden`."),
    code("read returns 429", 429, [.rateLimited], "a 429 response throws `rateLimited`."),
    code("read returns 503", 503, [.unavailable], "a 503 response throws `unavailable`."),
    code(
      "read returns 500", 500, [.unavailable, .badResponse],
      "a 500 response to a read throws `unavailable` or `badResponse`."
    ), refusedData, uncertainWrite, transportErrors, errorSentence,
  ]

  /// A law about the answer with one status to a list and to a read.
  private static func code(_ name: String, _ status: Int, _ codes: [BackendError.Code], _ promise: String) -> Law {
    Law(name, .errors, promise) { context throws(CheckStop) in
      let backend = try context.answering(status)
      if context.operations.contains(.list) {
        try await context.expectFailure(
          "a list was requested and the server returned \(status)", codes, effects: [.rejected, .notSent]
        ) { () throws(BackendError) in
          try await backend.list(context.query(), at: nil, to: RecordSink { _ in .more })
        }
      }
      guard context.operations.contains(.get) else { return .passed }
      let hides = context.capabilities.missingStatuses.contains(status)
      try await context.expectFailure(
        "a record was read and the server returned \(status)", hides ? [.notFound] : codes,
        effects: [.rejected, .notSent]
      ) { () throws(BackendError) in
        try await backend.get(context.plausibleID, from: context.path)
      }
      return .passed
    }
  }

  private static let refusedData = Law(
    "create returns 400 or 422", .errors, "a 400 or 422 response to a create throws `invalid`, and nothing was changed."
  ) { context throws(CheckStop) in
    try context.needs(.create)
    let fields = try await context.sandbox.fields()
    for status in [400, 422] {
      let backend = try context.answering(status, toWritesOnly: true)
      try await context.expectFailure(
        "a record was created and the server returned \(status)", [.invalid], effects: [.rejected]
      ) { () throws(BackendError) in
        try await backend.create(fields, in: context.path)
      }
    }
    return .passed
  }

  private static let uncertainWrite = Law(
    "500 or lost connection", .errors,
    "a 500 response to a write, or no response at all, never throws an error that says that nothing was changed."
  ) { context throws(CheckStop) in
    try context.needs(.create)
    let fields = try await context.sandbox.fields()
    let lost = BackendError(.unavailable, "the connection was closed", effect: .unknown)
    for backend in [try context.answering(500, toWritesOnly: true), try context.failing(lost, onWritesOnly: true)] {
      try await context.expectFailure(
        "a record was created and the outcome was lost", [.unavailable, .badResponse], effects: [.unknown, .applied]
      ) { () throws(BackendError) in
        try await backend.create(fields, in: context.path)
      }
    }
    return .passed
  }

  private static let transportErrors = Law(
    "transport errors", .errors, "a transport error keeps its code and its effect."
  ) { context throws(CheckStop) in
    try context.needs(.list)
    for code in [BackendError.Code.unavailable, .timedOut, .unauthorized, .cancelled] {
      for effect in [BackendError.Effect.notSent, .rejected] {
        let backend = try context.failing(BackendError(code, "the suite makes the transport fail", effect: effect))
        try await context.expectFailure(
          "a list was requested and the transport failed with \"\(code.rawValue)\"", [code], effects: [effect]
        ) { () throws(BackendError) in
          try await backend.list(context.query(), at: nil, to: RecordSink { _ in .more })
        }
      }
    }
    return .passed
  }

  private static let errorSentence = Law(
    "error message form", .errors,
    "an error message is a clause that says what failed: not empty, on one line, without a period at its end."
  ) { context throws(CheckStop) in
    try context.needs(.list)
    for status in [301, 400, 401, 403, 404, 405, 409, 418, 429, 500, 503] {
      let backend = try context.answering(status)
      do throws(BackendError) {
        _ = try await backend.list(context.query(), at: nil, to: RecordSink { _ in .more })
      } catch {
        try context.require(
          !error.message.isEmpty && !error.message.hasSuffix(".")
            && !error.message.unicodeScalars.contains { $0.value < 0x20 },
          "a list was requested and the server returned \(status)", expected: "a clause on one line",
          found: "\"\(error.message)\"")
        continue
      }
      throw .breach(
        "a list was requested and the server returned \(status)", expected: "an error", found: "success")
    }
    return .passed
  }
}

extension LawContext {
  /// The adapter over a way where each request, or each that writes, gets this status and an empty JSON object.
  func answering(_ status: Int, toWritesOnly: Bool = false) throws(CheckStop) -> any Backend {
    try faulted(.answer(status: status, type: "application/json", body: "{}"), toWritesOnly)
  }

  /// The adapter over a way that fails, or fails each request that writes.
  func failing(_ error: BackendError, onWritesOnly: Bool = false) throws(CheckStop) -> any Backend {
    try faulted(.error(error), onWritesOnly)
  }

  private func faulted(_ fault: FaultyExchange.Fault, _ writesOnly: Bool) throws(CheckStop) -> any Backend {
    try backend(over: FaultyExchange(traffic, fault) { !writesOnly || $0.effect != .read })
  }
}
