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
