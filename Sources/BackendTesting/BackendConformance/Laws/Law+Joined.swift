/// Laws of the same kind that are judged one after the other and reported as one; a failure names the part that broke.
extension Law {
  /// The laws with those put together that differ by a number or a kind, each in the place of its first part.
  static func joined(_ laws: [Law]) -> [Law] {
    let named = Dictionary(laws.map { ($0.name, $0) }) { first, _ in first }
    var firsts: [String: Law] = [:]
    var parts: Set<String> = []
    for join in joins {
      let own = join.parts.compactMap { named[$0] }
      guard let first = own.first else { continue }
      firsts[first.name] = joined(join.name, first.group, join.promise, own)
      parts.formUnion(join.parts)
    }
    return laws.compactMap { firsts[$0.name] ?? (parts.contains($0.name) ? nil : $0) }
  }

  /// A law that is kept where all of its parts are.
  private static func joined(_ name: String, _ group: LawGroup, _ promise: String, _ parts: [Law]) -> Law {
    Law(name, group, promise, parts: parts) { context throws(CheckStop) in
      var verdicts: [Verdict] = []
      var remarks: [(parts: [String], text: String)] = []
      func remark(_ part: Law, _ text: String) {
        if let place = remarks.firstIndex(where: { $0.text == text }) {
          remarks[place].parts.append(part.name)
        } else {
          remarks.append(([part.name], text))
        }
      }
      for part in parts {
        // Each has as many requests as a law of its own.
        if context.meter.isLawExceeded { break }
        context.meter.beginLaw()
        context.traffic.forget()
        do throws(CheckStop) {
          var verdict = try await part.check(context)
          if case .remarked(let text) = verdict {
            remark(part, text)
            verdict = .passed
          }
          verdicts.append(verdict)
        } catch {
          switch error {
          case .breach(var breach):
            breach.done = "\(part.name): \(breach.done)"
            throw .breach(breach)
          case .notApplicable(let reason): verdicts.append(.notApplicable(reason))
          case .untried(let reason):
            verdicts.append(.notApplicable(reason))
            remark(part, reason)
          }
        }
        await context.sandbox.clean()
      }
      let verdict = [.passed, .emulated, .refused].first(where: verdicts.contains) ?? verdicts.first ?? .passed
      guard !remarks.isEmpty, verdict == .passed else { return verdict }
      return .remarked(remarks.map { "\($0.parts.joined(separator: ", ")): \($0.text)" }.joined(separator: "; "))
    }
  }

  private static let joins: [(name: String, promise: String, parts: [String])] = [
    (
      "consistent description",
      "a description is consistent: names are unique and each child is described; the cap and the default page size are"
        + " at least 1, and the default does not exceed the cap; `get` can read what lists omit; a field that holds an"
        + " identifier that cannot be chosen is read-only; what can be created or updated has a writable field.",
      [
        "unique names", "consistent page sizes", "unlisted fields can be read", "fixed identifiers are read-only",
        "has a writable field",
      ]
    ),
    (
      "description checks responses",
      "a live description that sends requests fails if every response is an HTML page, or JSON that says nothing about"
        + " the service; it ignores the content of a response with an error status.",
      ["invalid description responses", "error bodies are ignored"]
    ),
    (
      "valid plan",
      "each filter has one fidelity, and `sort` and `skip` are never `superset`; a skip is planned `exact` only if"
        + " everything before it is; parts that the query does not have are `exact`; equal queries get equal plans; the"
        + " page size is valid; the first request is named on one line.",
      [
        "one fidelity per filter", "exact skip comes last", "stable plan", "planned page size", "request on one line",
        "absent parts are exact",
      ]
    ),
    (
      "undeclared features refused",
      "an operation, an action, the clearing of a field or a revision that is not declared throws `unsupported` before"
        + " any request is made.",
      ["undeclared operation", "undeclared action", "undeclared clearing", "undeclared revisions"]
    ),
    (
      "field types as described",
      "a value in a described field is null or of the described type; with a live description, at least one of the"
        + " values is.",
      ["described field types", "live field types"]
    ),
    (
      "fields as described",
      "a live description describes the fields of a resource that has records, and all fields of its sample if it has"
        + " one; where records may have only described fields, no record has any other.",
      ["live description has fields", "sampled fields are described", "no undescribed fields"]
    ),
    (
      "page sizes",
      "the list is the same for any page size: one record, one less than the list, the whole list, one more, and a size"
        + " that divides it; a page at the cap is full, no page exceeds the cap, and a page requested without a size"
        + " does not exceed the default size.",
      [
        "pages of one record", "pages one record short", "page of the whole list", "page larger than list",
        "full last page", "page at the cap", "page above the cap", "default page size",
      ]
    ),
    (
      "paging during writes",
      "a record inserted or deleted while the pages are walked neither hides nor repeats any other, as far as the"
        + " declared stability promises.",
      ["insert while paging", "delete on previous page", "delete on later page"]
    ),
    (
      "chosen identifiers",
      "where `create` may choose the identifier, the record gets it, a new one is not reported as a replacement, and an"
        + " existing one throws `alreadyExists` or `conflict`; elsewhere a chosen identifier is refused before any request"
        + " is made.",
      ["chosen identifier", "existing identifier"]
    ),
    (
      "required fields as described",
      "a record without a required field is refused with `invalid`, and nothing is created; a record without an"
        + " optional field is accepted.",
      ["required fields", "optional fields"]
    ),
    (
      "maximum length",
      "text of exactly the maximum length is accepted and stored in full; longer text is refused with `invalid`, never"
        + " truncated.",
      ["text at maximum length", "text over maximum length"]
    ),
    (
      "null and empty are values",
      "a field set to null is null afterwards, and text set to the empty string is empty, unless a note names the"
        + " field.",
      ["set to null", "set to empty string"]
    ),
    (
      "revisions",
      "an update conditional on the current revision succeeds and gives the record a new one; an update, and a deletion"
        + " where that can be conditional, on any other revision throws `conflict` and changes nothing.",
      ["stale revision", "current revision", "deletion at a revision"]
    ),
    (
      "deleted records are gone",
      "a deleted record can no longer be read and is no longer listed, unless deleted records are declared to be kept;"
        + " other records still are.",
      ["get after delete", "list after delete"]
    ),
    (
      "status codes of reads",
      "a 401 response throws `unauthorized`, 403 `forbidden`, 429 `rateLimited`, 503 `unavailable`, and 500"
        + " `unavailable` or `badResponse`; in a read of one record, a status that is declared to mean that the record"
        + " does not exist throws `notFound`.",
      ["read returns 401", "read returns 403", "read returns 429", "read returns 503", "read returns 500"]
    ),
    (
      "identifiers stay distinct",
      "nothing in an identifier leads to another record or path: an empty identifier, dots, slashes, URL characters,"
        + " white space, another spelling of a number, another case, other code points, 300 characters and wildcards"
        + " each identify their own record, or none.",
      [
        "empty identifier", "dots in identifiers", "slashes in identifiers", "URL characters in identifiers",
        "white space in identifiers", "number formats in identifiers", "case-sensitive identifiers",
        "Unicode in identifiers", "long identifiers", "wildcards in identifiers",
      ]
    ),
    (
      "text is preserved",
      "text of any characters is kept as it is, refused, or named in a note: emoji, combining marks, right-to-left"
        + " text, control characters, line breaks, NUL, markup, quotes, text that looks like another value, leading and"
        + " trailing white space, a million bytes, and the empty string.",
      [
        "emoji", "combining marks", "right-to-left text", "control characters", "line breaks", "NUL", "markup",
        "quotes and backslashes", "text like other values", "surrounding white space", "one megabyte of text",
        "empty string",
      ]
    ),
    (
      "numbers are preserved",
      "a number is kept to the last digit or refused: 0 and -0, integers beyond 64 bits, decimal fractions, and numbers"
        + " that binary floating point cannot represent.",
      ["zero", "large integers", "decimal fractions", "huge numbers"]
    ),
    (
      "other values are preserved",
      "false, null, lists and objects are kept whole; where the server treats null as a missing value, a note names the"
        + " field.",
      ["false", "null", "nested values"]
    ),
    (
      "concurrent calls",
      "concurrent creates, updates, reads and lists each affect or return only their own records.",
      ["ten concurrent creates", "ten concurrent updates", "concurrent reads", "concurrent lists"]
    ),
    (
      "cancelled calls",
      "a cancelled call ends immediately with `cancelled`, even in the middle of the response; the effect of a write is"
        + " then unknown if its request was sent.",
      [
        "cancelled list", "cancelled get", "cancelled create", "cancelled update", "cancelled delete",
        "cancelled at first request", "cancelled during the response",
      ]
    ),
    (
      "invalid responses",
      "a response other than the one expected throws `badResponse` and is neither an empty list nor an empty record:"
        + " truncated, an HTML page, other JSON, empty, excessively nested, endless, or a redirect.",
      [
        "truncated record", "HTML response", "JSON without a list", "JSON without a record", "empty response",
        "deeply nested response", "deeply nested value", "endless response", "redirected read",
      ]
    ),
    (
      "status codes of writes",
      "each error status in response to a write throws its code; from 500 up the effect is `unknown`, below that"
        + " nothing was changed.",
      [
        "write returns 401", "write returns 403", "404 response", "write returns 409", "400 or 422 response",
        "write returns 429", "write returns 500", "write returns 502 to 504",
      ]
    ),
    (
      "status overrides body",
      "a response with an error status is an error, even if its body is valid, and even in response to a write; a"
        + " live description, too, fails on 500 and 503.",
      ["read status overrides body", "write status overrides body"]
    ),
    (
      "mismatched write responses",
      "a write whose response shows a value other than the one sent, lacks one, or is a different record, is reported"
        + " by a note or `badResponse`, and never as not applied.",
      ["altered value in response", "missing value in response", "wrong record in response"]
    ),
    (
      "uncertain write outcome",
      "a write that may have been applied is never reported as not applied: if there was no response, or the response"
        + " was lost, truncated, empty, an HTML page, a redirect, or had the status 500.",
      [
        "500 or lost connection", "write without response", "lost write response", "HTML response to write",
        "empty response to write", "truncated write response", "redirected write",
      ]
    ),
    (
      "generated lists",
      "conditions, orders, searches, projections, windows, and all of them combined give the same results as the"
        + " reference evaluator.",
      [
        "generated conditions", "generated orders", "generated searches", "generated projections", "generated windows",
        "generated queries",
      ]
    ),
  ]
}
