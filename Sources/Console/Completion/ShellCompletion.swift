import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput

extension Command {
  /// Prints what a shell needs to complete the console's own command line.
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
    context.results.output.write(formatted: ShellCompletion.scripts[name] ?? "")
    return .done
  }
}

/// Completion of the console's command line in a shell: the shell's script asks the console, which answers as Tab does at its
/// own prompt, but from what is known without any server.
enum ShellCompletion {
  /// The scripts by the names of the shells. Each asks with the line up to the cursor, and gets texts with a NUL between them:
  /// how the word at the cursor stands in the line, then of each continuation the whole word as it is meant, and what it is. An empty
  /// continuation says that there is none, and that the shell has none of its own: no file can stand there.
  /// The words are names of files and the like, made by anybody: it is the shell that quotes them, and none of them is
  /// read as a piece of a command.
  static let scripts = ["bash": bash, "zsh": zsh, "fish": fish]

  private static let bash = #"""
    _switchboard() {
      local word cut character quote= current=${COMP_WORDS[COMP_CWORD]}
      local -i at place
      local -a found
      mapfile -d '' -t found < <(switchboard --complete "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
      COMPREPLY=()
      # bash takes = and : for the ends of words, and replaces only what follows them.
      [[ $current == [=:] ]] && current=
      cut=${found[0]%"$current"}
      cut=${cut//[\"\'\\]/}
      [[ $current == [\"\']* ]] && quote=${current:0:1}
      (( ${#found[@]} == 2 )) && [[ -z ${found[1]} ]] && compopt +o default && return 0
      for ((at = 1; at < ${#found[@]}; at += 2)); do
        word=${found[at]#"$cut"}
        if [[ -z $quote ]]; then
          [[ -n $word ]] && printf -v word %q "$word"
          COMPREPLY+=("$word")
          continue
        fi
        # What goes on within quotes that are open.
        COMPREPLY+=("")
        for ((place = 0; place < ${#word}; place++)); do
          character=${word:place:1}
          case $quote$character in
            \"[\"\\\$\`]) character="\\$character" ;;
            \"!) character="\"'!'\"" ;;
            "''") character="'\\''" ;;
          esac
          # At the beginning of a line bash takes a ^ for a change of the command before, within quotes, too.
          [[ $character == ^ && ${word:0:place} == *$'\n' ]] && character="$quote$quote^"
          COMPREPLY[-1]+=$character
        done
        # Of two quotes at its beginning bash leaves out one: the one that is open counts as it.
        [[ ${COMPREPLY[-1]} == "$quote"* ]] && COMPREPLY[-1]=$quote${COMPREPLY[-1]}
      done
      # And it takes one at the end of the word for the end of the quotes.
      [[ -n $quote && ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *"$quote" ]] && COMPREPLY[0]+=$quote
      [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[=/,~\<\>:] ]] && compopt -o nospace
      return 0
    }
    complete -o default -o nosort -F _switchboard switchboard

    """#

  private static let zsh = #"""
    #compdef switchboard
    _switchboard() {
      local word note
      local -a found words_ shown open openshown
      found=("${(@0)$(switchboard --complete "$LBUFFER" 2>/dev/null)}")
      for word note in "${(@)found[2,-1]}"; do
        [[ -n $word ]] || continue
        if [[ $word == *[=/,~\<\>:] ]]; then
          open+=("$word"); openshown+=("${(V)word}${note:+  -- $note}")
        else
          words_+=("$word"); shown+=("${(V)word}${note:+  -- $note}")
        fi
      done
      (( ${#words_} + ${#open} == 0 && ${#found} > 1 )) && return 1
      # Inside an open quote, zsh itself would write a file name that is not valid text as a different name.
      (( ${#words_} + ${#open} )) || { [[ -n $compstate[quote] ]] || _files; return }
      (( ${#words_} )) && compadd -V switchboard -l -d shown -- "${words_[@]}"
      (( ${#open} )) && compadd -S '' -V switchboard -l -d openshown -- "${open[@]}"
      return 0
    }
    compdef _switchboard switchboard

    """#

  private static let fish = #"""
    function __switchboard_ask
      set -g __switchboard_found (switchboard --complete (commandline -cp | string collect) 2>/dev/null | string split0)
      test (count $__switchboard_found) -gt 1
    end
    function __switchboard_tell
      set -l at 2
      while test $at -le (count $__switchboard_found)
        set -l word $__switchboard_found[$at]
        set -l note $__switchboard_found[(math $at + 1)]
        # One completion per line, its description after a tab: a word that contains either cannot be offered.
        if test -n "$word"; and not string match -qr '[\n\t]' -- $word
          # fish offers no name that begins with a dot before one is typed, reads a ~ as a folder, and skips wide blanks.
          if string match -qr '^(\./-|~|\p{Z})' -- $word; and test -e ./$word
            set word $PWD/(string replace -r '^\./' '' -- $word)
          end
          printf '%s\t%s\n' $word $note
        end
        set at (math $at + 2)
      end
    end
    complete -c switchboard -n __switchboard_ask -f -k -a '(__switchboard_tell)'

    """#
}
