import CommandLanguage
import ConsoleOutput

extension Command {
  static let completion = Command(
    "completion", .console, "Print the completion script for a shell",
    arguments: [.one(.oneOf(["bash", "zsh", "fish"]))], effects: [],
    details: [
      "bash: source <(switchboard completion bash), for example in ~/.bashrc.",
      "zsh: source <(switchboard completion zsh) after compinit, in ~/.zshrc.",
      "fish: switchboard completion fish > ~/.config/fish/completions/switchboard.fish.",
    ], examples: [Example(line: "completion bash", says: "the script for bash")]
  ) { invocation, context in
    let name = try invocation.one(.oneOf(["bash", "zsh", "fish"])).text
    context.results.output.write(formatted: ShellCompletion.script(of: name))
  }
}

/// Completion of the command line in a shell: its script asks the console, which answers as for Tab at the prompt, but
/// without requests to servers.
enum ShellCompletion {
  /// The script of a shell. It passes the line up to the cursor, and reads texts separated by NUL: the word at the
  /// cursor as written, then a word and an explanation for each continuation. An empty continuation says that no file
  /// can be here either.
  ///
  /// The words may be file names chosen by anybody, so the shell quotes them and never evaluates them.
  static func script(of shell: String) -> String { EmbeddedTexts.text(of: "completion." + shell) ?? "" }
}
