import type { Completions, Offered } from './completions.ts'

/** Where the user puts the script, by shell. */
export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof SHELLS)[number]

/** @returns the shell's script: a table of words by place, and a function that finds the place of the cursor */
export const completionScript = (shell: Shell, all: Completions): string => SCRIPTS[shell](all)

const SCRIPTS: Readonly<Record<Shell, (all: Completions) => string>> = {
  bash: (all) => `# Completion of acuse for bash: source <(acuse completion bash)
${posixTable(all, ({ word }) => word)}
_acuse() {
  local line=\${COMP_LINE:0:COMP_POINT} at=acuse current='' option='' quote='' word list
  local -a words
  COMPREPLY=()
  read -ra words <<< "$line"
  if [[ $line != *[[:space:]] ]]; then
    current=\${words[\${#words[@]}-1]}
    unset "words[\${#words[@]}-1]"
  fi
  for word in "\${words[@]:1}"; do
    if [[ -n $option ]]; then option=''
    elif _acuse_words "$at $word" > /dev/null; then
      if [[ $word == -* ]]; then option=$word; else at="$at $word"; fi
    fi
  done
  case $current in
    --*=*) option=\${current%%=*} current=\${current#*=} ;;
    [\\"\\']*) quote=\${current:0:1} current=\${current:1} ;;
  esac
  # Within quotes a blank ends no word, but it ended one above.
  word=\${line//[^\\"\\']/}
  [[ -z $quote && $(( \${#word} % 2 )) -eq 1 ]] && return
  list=$(_acuse_words "$at\${option:+ $option}")
  if [[ $'\\n'$list$'\\n' == *$'\\n@filter\\n'* ]]; then
    if [[ $current == *:* ]]; then list=$(_acuse_words "filter \${current%%:*}")
    else list=$list$'\\n'$(_acuse_words filter)
    fi
  fi
  while IFS= read -r word; do
    if [[ $word == @files ]]; then
      while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "$current")
      compopt -o filenames 2> /dev/null
    elif [[ $word != @* && $word == "$current"* ]]; then COMPREPLY+=("$word")
    fi
  done <<< "$list"
  [[ \${#COMPREPLY[@]} -eq 1 && \${COMPREPLY[0]} == *[:.] ]] && compopt -o nospace 2> /dev/null
  # Bash splits words at colons and equals signs too, and replaces only the last part.
  if [[ -z $quote && $current == *[:=]* && $COMP_WORDBREAKS == *:* ]]; then
    word=\${current%"\${current##*[:=]}"}
    COMPREPLY=("\${COMPREPLY[@]#"$word"}")
  fi
}
complete -F _acuse acuse
`,
  zsh: (all) => `#compdef acuse
# Completion of acuse for zsh: source <(acuse completion zsh), or a file _acuse in a folder of $fpath
${posixTable(all, ({ word, about }) => (about === '' ? word : `${word}\t${about}`))}
_acuse() {
  local at=acuse option='' word line
  local -a list plain open shown
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $option ]]; then option=''
    elif _acuse_words "$at $word" > /dev/null; then
      if [[ $word == -* ]]; then option=$word; else at="$at $word"; fi
    fi
  done
  if [[ $PREFIX == --*=* ]]; then
    option=\${PREFIX%%=*}
    compset -P '*='
  fi
  list=("\${(@f)$(_acuse_words "$at\${option:+ $option}")}")
  if (( \${list[(I)@filter]} )); then
    if [[ $PREFIX == *:* ]]; then list=("\${(@f)$(_acuse_words "filter \${\${PREFIX#[\\"\\']}%%:*}")}")
    else list+=("\${(@f)$(_acuse_words filter)}")
    fi
  fi
  (( \${list[(I)@files]} )) && _files
  for line in "\${(@)list}"; do
    word=\${line%%$'\\t'*}
    [[ -z $word || $word == @* ]] && continue
    if [[ $word == *[:.] ]]; then open+=("$word")
    else
      plain+=("$word")
      shown+=("\${line/$'\\t'/  -- }")
    fi
  done
  (( $#open )) && compadd -S '' -- "\${(@)open}"
  (( $#plain )) && compadd -l -d shown -- "\${(@)plain}"
}
if [[ \${funcstack[1]} == _acuse ]]; then _acuse "$@"; else compdef _acuse acuse; fi
`,
  fish: (all) => `# Completion of acuse for fish: acuse completion fish | source
function __acuse_words
    switch $argv[1]
${entries(
  all,
  fishQuoted,
  ({ word, about }) => `${word}\t${about}`,
  (place, words) =>
    `        case ${place}\n            ${words === '' ? 'return 0' : `printf '%s\\n' ${words}`}`,
)}
        case '*'
            return 1
    end
end
function __acuse_complete
    set -l at acuse
    set -l option ''
    for word in (commandline -opc)[2..]
        if test -n "$option"
            set option ''
        else if __acuse_words "$at $word" > /dev/null
            if string match -q -- '-*' $word
                set option $word
            else
                set at "$at $word"
            end
        end
    end
    set -l current (commandline -ct | string replace -r '^["\\']' '')
    set -l before ''
    if string match -q -- '--*=*' "$current"
        set option (string split -m 1 = -- $current)[1]
        set before "$option="
        set current (string split -m 1 = -- $current)[2]
    end
    for line in (__acuse_words (string trim -- "$at $option"))
        switch $line
            case '@files*'
                __fish_complete_path "$current"
            case '@filter*'
                if string match -q -- '*:*' "$current"
                    __acuse_words "filter "(string split -m 1 : -- $current)[1]
                else
                    __acuse_words filter
                end
            case '*'
                echo "$before$line"
        end
    end
end
complete -c acuse -f -a '(__acuse_complete)'
`,
  powershell: (
    all,
  ) => `# Completion of acuse for PowerShell: acuse completion powershell | Out-String | Invoke-Expression
$acuseWords = @{
${entries(
  all,
  powerQuoted,
  ({ word, about }) => `${word}\t${about}`,
  (place, words) => `  ${place} = @(${words.replaceAll("' '", "', '")})`,
)}
}
Register-ArgumentCompleter -Native -CommandName acuse -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $at = 'acuse'
  $option = ''
  foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
    if ($element.Extent.EndOffset -ge $cursorPosition) { break }
    $word = $element.ToString()
    if ($option) { $option = '' }
    elseif ($acuseWords.ContainsKey("$at $word")) {
      if ($word.StartsWith('-')) { $option = $word } else { $at = "$at $word" }
    }
  }
  $place = if ($option) { "$at $option" } else { $at }
  $current = $wordToComplete.Trim('"', "'")
  $lines = @($acuseWords[$place])
  if ($lines -contains "@filter\`t") {
    $lines += if ($current.Contains(':')) { $acuseWords["filter $($current.Split(':')[0])"] } else { $acuseWords['filter'] }
  }
  foreach ($line in $lines) {
    $word, $about = $line -split "\`t", 2
    if (-not $word -or $word.StartsWith('@') -or -not $word.StartsWith($current)) { continue }
    if (-not $about) { $about = $word }
    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $about)
  }
}
`,
}

const posixQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
const fishQuoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
const powerQuoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

function entries(
  all: Completions,
  quoted: (text: string) => string,
  shown: (one: Offered) => string,
  entry: (place: string, words: string) => string,
): string {
  return [...all]
    .map(([place, words]) => entry(quoted(place), words.map((one) => quoted(shown(one))).join(' ')))
    .join('\n')
}

const posixTable = (all: Completions, shown: (one: Offered) => string): string => `_acuse_words() {
  case $1 in
${entries(
  all,
  posixQuoted,
  shown,
  (place, words) => `    ${place}) ${words === '' ? ':' : `printf '%s\\n' ${words}`} ;;`,
)}
    *) return 1 ;;
  esac
}`
