extension HelpTopic {
  static let bulk = HelpTopic(
    "bulk", "commands on several records",
    [
      .text(
        "get, create, update and delete take several records: identifiers, or --from FILE. Each is sent as a\nseparate request and reported in input order; if one fails, the others are still done, and the status is 5."
      ),
      .table([
        ["--jobs N", "concurrent records: 4 by default; 1 for create, to keep the order, and on production"],
        ["--max-failures N", "start no more records after N failures; those in progress finish"],
        ["--retry N", "retry a record whose failure changed nothing, with increasing delays"],
        ["--rejects FILE", "write the records that did not succeed to a file, as input for --from"],
        ["--quiet", "failures and the totals only"],
        ["--allow-empty", "accept input without records"],
        [
          "--where CONDITION",
          "update, delete: the matching records, after showing the plan and asking once",
        ],
        ["--dry-run", "show the requests without sending any writes"],
        ["--ignore-not-found", "delete: accept records that do not exist"],
      ]),
      .text(
        "On 429 the console waits as long as Retry-After says, 300 seconds at most, and sends a record again up to 20 times,\nwhatever --retry says. If the service is still busy, no more records are sent, and the status is 4. requestsPerSecond and\nmaxConcurrent in the configuration limit the requests to a backend."
      ),
    ],
    examples: [
      Command.Example(
        line: "delete 4 5 99 --yes --ignore-not-found --quiet", says: "99 does not exist")
    ])
}
