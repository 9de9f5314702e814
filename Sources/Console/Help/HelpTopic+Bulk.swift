extension HelpTopic {
  static let bulk = HelpTopic(
    "bulk", "commands over several records",
    [
      .text(
        "get, create, update and delete take several records: identifiers, or --from FILE. Each is a request of its own and is\nreported in the order of the input; one that fails leaves the others done, and the status is then 5."
      ),
      .table([
        ["--jobs N", "so many at once: 4; 1 for create, which keeps the order, and for label production"],
        ["--max-failures N", "nothing is begun after so many failures; what was begun is awaited and reported"],
        ["--retry N", "a record that was certainly not done is tried again, after a growing pause"],
        ["--rejects FILE", "records that failed, are unknown, not kept or not tried, as input for --from"],
        ["--quiet", "failures and the totals only"],
        ["--allow-empty", "an input without a record is not a failure"],
        [
          "--where CONDITION",
          "update, delete: the records for which it holds; the plan is shown, and one question asked",
        ],
        ["--dry-run", "show the requests, send none that writes"],
        ["--ignore-not-found", "delete: a record that is not there is not a failure"],
      ]),
      .text(
        "A server that limits the rate (429) is waited for, as long as it says. requestsPerSecond and maxConcurrent in the\nconfiguration limit what one backend is asked."
      ),
    ],
    examples: [
      Command.Example(
        line: "delete 4 5 99 --yes --ignore-not-found --quiet", says: "99 is not there")
    ])
}
