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
      for part in parts {
        // Each has as many requests as a law of its own.
        if context.meter.isLawExceeded { break }
        context.meter.beginLaw()
        context.traffic.forget()
        do throws(CheckStop) { verdicts.append(try await part.check(context)) } catch {
          switch error {
          case .breach(var breach):
            breach.done = "\(part.name): \(breach.done)"
            throw .breach(breach)
          case .notApplicable(let reason): verdicts.append(.notApplicable(reason))
          }
        }
        await context.sandbox.clean()
      }
      return [.run, .emulated, .refused].first(where: verdicts.contains) ?? verdicts.first ?? .run
    }
  }

  private static let joins: [(name: String, promise: String, parts: [String])] = [
    (
      "consistent description",
      "a description agrees with itself: names are unique and each child is described; the cap and the "
        + "default page size are at least 1 and in order; what a list leaves out `get` can read; a field that "
        + "holds an identifier that cannot be chosen is read-only; what can be created or updated has a field "
        + "that may be written.",
      ["unique names", "page sizes agree", "unlisted fields can be read", "fixed identifiers", "something to write"]
    ),
    (
      "nothing learned from nonsense",
      "a live description that asks the server fails where each answer is a page of HTML, or JSON that says"
        + " nothing of the service, and takes nothing from an answer with the status of an error.",
      ["nonsense described", "words of an error"]
    ),
    (
      "sound plan",
      "there is one fidelity for each filter, and `sort` and `skip` are never `superset`; a skip is planned"
        + " `exact` only where what comes before it is; what is not asked for is `exact`; equal queries get "
        + "equal plans; the page size is possible; the first request is named on one line.",
      ["plan shape", "skip comes last", "stable plan", "planned page size", "readable request", "nothing asked"]
    ),
    (
      "undeclared is refused",
      "an operation, an action, the clearing of a field or a revision that is not declared throws "
        + "`unsupported` before any request is made.",
      ["declared operations only", "undeclared action", "undeclared clearing", "undeclared revisions"]
    ),
    (
      "kinds as described",
      "a value in a described field is null or of the kind described; of a live description one of the "
        + "values at least is.",
      ["described kinds", "live kinds"]
    ),
    (
      "fields as described",
      "a live description describes the fields of a resource that has records, all of its sample where it "
        + "has one; where records may have no other fields than those described, none has another.",
      ["learned fields", "sampled fields", "described fields"]
    ),
    (
      "page sizes",
      "pages of any size give the same list: of one record, one smaller than the list, as large, one "
        + "larger, and a size that divides it; a page at the cap is full, none is above it, and one whose size "
        + "nobody asked for is within the default size.",
      [
        "pages of one", "pages one short", "pages of all", "pages one larger", "exact multiple", "page at the cap",
        "page above the cap", "default page size",
      ]
    ),
    (
      "pages while records change",
      "a record inserted or deleted while the pages are walked hides and repeats no other, as far as the "
        + "declared stability says.",
      ["insertion while paging", "deletion behind", "deletion ahead"]
    ),
    (
      "chosen identifiers",
      "where `create` may choose the identifier, the record gets it, also an awkward one unless that is "
        + "refused, and one that is there throws `alreadyExists` or `conflict`; elsewhere one is refused before"
        + " any request.",
      ["chosen identifier", "taken identifier"]
    ),
    (
      "required fields as described",
      "a record without a required field is refused with `invalid`, and nothing is made; one without "
        + "another field is taken.",
      ["required fields", "optional fields"]
    ),
    (
      "maximum length",
      "text of just the maximum length is taken and kept whole; a longer one is refused with `invalid`, "
        + "never cut.",
      ["longest text", "too long text"]
    ),
    (
      "null and empty",
      "a field set to null is null afterwards, and text set to the empty one is empty, unless a note "
        + "names the field.",
      ["null is a value", "empty is a value"]
    ),
    (
      "revisions",
      "an update that insists on the present revision succeeds and gives the record another; one that "
        + "insists on another throws `conflict` and changes nothing.",
      ["stale revision", "current revision"]
    ),
    (
      "deleted and unlisted",
      "a deleted record can neither be read nor is it in the list, and what was not deleted is.",
      ["deleted", "deleted is unlisted"]
    ),
    (
      "statuses of reads",
      "an answer 401 throws `unauthorized`, 403 `forbidden`, 429 `rateLimited`, 503 `unavailable`, and 500 "
        + "`unavailable` or `badResponse`; to a read of one record a status that says by declaration that it is not "
        + "there throws `notFound`.",
      ["not signed in", "not allowed", "too many requests", "out of service", "server fault"]
    ),
    (
      "identifiers apart",
      "what an identifier holds never leads elsewhere: nothing, dots, slashes, marks of an address, white "
        + "space, another spelling of a number, another case, other code points, 300 characters and wildcards "
        + "name a record of their own, or none.",
      [
        "empty identifier", "dots in identifiers", "slashes in identifiers", "marks in identifiers",
        "space in identifiers", "number spellings", "case of identifiers", "unicode in identifiers", "long identifiers",
        "wildcards in identifiers",
      ]
    ),
    (
      "texts kept",
      "text of whatever characters is kept as it is, refused, or named in a note: emoji, combining marks,"
        + " right-to-left text, control characters, line breaks, NUL, markup, quotes, what looks like another "
        + "value, spaces at its ends, a million bytes, and none.",
      [
        "emoji", "combining marks", "right to left", "control characters", "line breaks", "NUL", "markup",
        "quotes and backslashes", "texts like other values", "spaces around texts", "one megabyte", "empty text",
      ]
    ),
    (
      "numbers kept",
      "a number is kept to the last digit or refused: 0 and -0, whole numbers beyond 64 bits, decimal "
        + "fractions, and what no binary floating point holds.",
      ["zero", "large whole numbers", "fractions", "huge numbers"]
    ),
    (
      "other values kept",
      "false, null, lists and objects are kept whole; where null is taken for nothing, a note names the "
        + "field.",
      ["false", "null", "nested values"]
    ),
    (
      "calls at once",
      "creations, updates, readings and lists at the same time each have their own records.",
      ["ten creations", "ten updates", "readings at once", "lists at once"]
    ),
    (
      "cancelled calls",
      "a cancelled call ends at once with `cancelled`, also in the middle of the answer; a write's effect "
        + "is then unknown where its request was sent.",
      [
        "cancelled list", "cancelled get", "cancelled create", "cancelled update", "cancelled delete", "cancellation",
        "cancelled in the middle",
      ]
    ),
    (
      "unreadable answers",
      "what is not the answer asked for throws `badResponse` and is neither an empty list nor an empty "
        + "record: a cut one, a page of HTML, other JSON, nothing, one nested without measure, one without end,"
        + " and one that redirects.",
      [
        "cut record", "web page", "no list", "no record", "empty answer", "nested bomb", "nested value",
        "endless answer", "redirect",
      ]
    ),
    (
      "statuses of writes",
      "each status of an error to a write throws its code, with the effect `unknown` from 500 on; below "
        + "that nothing was changed.",
      [
        "write not signed in", "write not allowed", "answered as missing", "conflict reported", "refused request",
        "too many writes", "failed write", "write out of service",
      ]
    ),
    (
      "status before body",
      "an answer with the status of an error is an error, however sound its body, to a write, too; 500 and "
        + "503 also to a live description.",
      ["status decides", "status of a write decides"]
    ),
    (
      "receipts that differ",
      "a write whose answer shows another value than was sent, lacks one, or is another record, is reported by "
        + "a note or `badResponse`, and never as not made.",
      ["altered receipt", "lean receipt", "receipt of another"]
    ),
    (
      "uncertain writes",
      "a write that may have been made is never reported as not made: where no answer came, it was lost or cut,"
        + " says nothing, is a page of HTML, redirects, or has the status 500.",
      [
        "uncertain write", "silence", "lost answer", "web page for a write", "wordless write", "cut receipt",
        "redirected write",
      ]
    ),
    (
      "generated lists",
      "conditions, orders, searches, projections, windows, and all of them at once are answered as the "
        + "reference evaluator answers them.",
      [
        "generated conditions", "generated orders", "generated searches", "generated projections", "generated windows",
        "generated queries",
      ]
    ),
  ]
}
