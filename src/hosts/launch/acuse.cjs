#!/usr/bin/env node
// The npm package's command. ECMAScript 5, so that any Node can parse it: an older one runs the npm package "node" that is installed
// beside Acuse, or prints one sentence.
'use strict'

var childProcess = require('child_process')
var fs = require('fs')
var path = require('path')

/** Of `"node": ">=24"` in package.json, the only place of the number. */
var LEAST = parseInt(require('../../../package.json').engines.node.replace('>=', ''), 10)
/** Set for the child process, so that an installed Node that is too old does not start itself for ever. */
var MARK = 'ACUSE_PINNED_NODE'
var FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']

// Without a listener Node opens its inspector on this signal, and every user of the machine could connect to it.
if (process.platform !== 'win32') process.on('SIGUSR1', function () {})

if (parseInt(process.versions.node, 10) >= LEAST) require('../../../out/main/cli.js')
else runInstalled(process.env[MARK] ? undefined : installedNode(__dirname))

/** Runs the same command under the installed Node, with the same stdio, signals and exit code. */
function runInstalled(node) {
  if (!node) {
    refuse(
      'Acuse needs Node ' +
        LEAST +
        ' or newer; this is ' +
        process.versions.node +
        '. ' +
        'Run it with a newer Node, or run "npm install node@' +
        LEAST +
        '" beside it, which Acuse then uses.'
    )
    return
  }
  var env = { ACUSE_PINNED_NODE: '1' }
  Object.keys(process.env).forEach(function (name) {
    env[name] = process.env[name]
  })
  // No messages pass on the channel; its end tells the child that this process was killed, so that no host stays behind.
  var child = childProcess.spawn(node, process.argv.slice(1), { stdio: [0, 1, 2, 'ipc'], env: env })
  FORWARDED.forEach(function (signal) {
    process.on(signal, function () {
      child.kill(signal)
    })
  })
  child.on('error', function (error) {
    refuse('The Node at ' + node + ' cannot be run: ' + error.message)
  })
  child.on('exit', function (code, signal) {
    FORWARDED.forEach(function (each) {
      process.removeAllListeners(each)
    })
    if (signal) process.kill(process.pid, signal)
    else process.exit(code)
  })
}

/** @returns the executable of the npm package "node" in this folder or one above it */
function installedNode(folder) {
  var name = process.platform === 'win32' ? 'node.exe' : 'node'
  var found = [
    path.join(folder, 'node_modules', 'node', 'bin', name),
    path.join(folder, 'node_modules', '.bin', name)
  ].filter(fs.existsSync)[0]
  return found || (folder === path.dirname(folder) ? undefined : installedNode(path.dirname(folder)))
}

function refuse(sentence) {
  process.stderr.write(sentence + '\n')
  process.exitCode = 3
}
