// Node loads this before any program of a test command that no flag of ours gets
// to. A runner is given the flags that it has in a plan, and a report for each of
// its processes; to all others this is nothing.
'use strict'
const { realpathSync } = require('fs')

const jest = {
  program: /\/jest(-cli)?\/bin\/jest\.js$/,
  leave: ['--json', '--outputFile', '--version', '-v', '--help', '-h', '--listTests', '--showConfig', '--clearCache', '--init', '--watch', '--watchAll'],
  drop: ['-b', '--bail', '--ci', '--coverage', '--collectCoverage'],
  flags: (report) => ['--ci', '--bail=0', '--coverage=false', '--json', '--outputFile=' + report],
}
const vitest = {
  program: /\/vitest\/vitest\.mjs$/,
  leave: ['--version', '-v', '--help', '-h', '--watch', '-w', 'bench', 'init', 'list', 'typecheck'],
  drop: ['--run', '--bail', '--coverage', '--coverage.enabled'],
  valued: ['--reporter', '--outputFile'],
  flags: (report) => ['--run', '--bail=0', '--coverage.enabled=false', '--reporter=json', '--outputFile=' + report],
  after: ['run', 'watch', 'dev', 'related'],
}
const mocha = {
  program: /\/mocha\/bin\/_?mocha(\.js)?$/,
  leave: ['--version', '-V', '--help', '-h', '--watch', '-w'],
  drop: ['-b', '--bail'],
  valued: ['-R', '--reporter', '-O', '--reporter-option', '--reporter-options'],
  flags: (report) => ['--no-bail', '--reporter', 'json', '--reporter-option', 'output=' + report],
}

// These start other scripts, and leave the rest of them out when one fails.
const starters = [
  { program: /\/turbo\/bin\/turbo$/, flag: '--continue', verb: true },
  { program: /\/lerna\/(dist\/)?cli\.js$/, flag: '--no-bail', verb: true },
  { program: /\/npm-run-all2?\/bin\/[a-z-]+(\/index)?\.js$/, flag: '--continue-on-error' },
]

function started() {
  try {
    return realpathSync(process.argv[1]).replace(/\\/g, '/')
  } catch {
    return ''
  }
}

// kept are the words of a command that our flags do not stand in for.
function kept(words, { drop, valued = [] }) {
  const out = []
  for (let i = 0; i < words.length; i++) {
    const [name, value] = words[i].split('=', 2)
    if (valued.includes(name)) {
      i += value === undefined ? 1 : 0
    } else if (drop.includes(name)) {
      i += /^[0-9]+$/.test(words[i + 1]) ? 1 : 0
    } else {
      out.push(words[i])
    }
  }
  return out
}

// A bound that covered code misses is no test, and its exit code is none's.
if (/\/(c8|nyc)\/bin\/(c8|nyc)\.js$/.test(started())) {
  const words = process.argv.slice(2).filter((word) => !/^--(check-coverage|100)(=|$)/.test(word))
  process.argv.splice(2, process.argv.length, '--check-coverage=false', ...words)
}

for (const { program, flag, verb } of starters) {
  const at = verb ? 3 : 2 // behind a verb: "turbo run"
  if (program.test(started()) && (!verb || /^[a-z]/.test(process.argv[2]))) process.argv.splice(at, 0, flag)
}

for (const [name, runner] of Object.entries({ jest, vitest, mocha })) {
  const words = process.argv.slice(2)
  const asked = words.some((word) => word.startsWith(__dirname) || word.includes('=' + __dirname))
  if (asked || !runner.program.test(started()) || words.some((word) => runner.leave.includes(word.split('=')[0]))) continue
  const at = runner.after && runner.after.includes(words[0]) ? 1 : 0
  const report = __dirname + '/report.' + name + '.' + process.pid
  process.argv.splice(2, words.length, ...words.slice(0, at), ...runner.flags(report), ...kept(words.slice(at), runner))
  if (name === 'vitest') process.env.CI = process.env.CI || 'true' // or it writes missing snapshots
}
