extension HelpTopic {
  static let bulk = HelpTopic(
    "bulk", "commands over several records",
    [
      .text(
        "get, create, update and delete take several records: identifiers, or --from FILE. Each is a request of its own and is\nreported in the order of the input; one that fails leaves the others done, and the status is then 5."
      ),
      .table([
        ["--jobs N", "concurrent records: 4 by default; 1 for create, which keeps the order, and on production"],
        ["--max-failures N", "stop starting records after N failures; running ones finish"],
        ["--retry N", "retry a record whose failure changed nothing, with growing pauses"],
        ["--rejects FILE", "records that failed, are unknown, not kept or not tried, as input for --from"],
        ["--quiet", "failures and the totals only"],
        ["--allow-empty", "accept an input without records"],
        [
          "--where CONDITION",
          "update, delete: the matching records, after a plan and one question",
        ],
        ["--dry-run", "show the requests, send none that writes"],
        ["--ignore-not-found", "delete: accept records that do not exist"],
      ]),
      .text(
        "On 429 the console waits as told by Retry-After. requestsPerSecond and maxConcurrent in the configuration limit the\nrequests to a backend."
      ),
    ],
    examples: [
      Command.Example(
        line: "delete 4 5 99 --yes --ignore-not-found --quiet", says: "99 is not there")
    ])
}
