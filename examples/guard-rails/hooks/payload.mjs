// Reads one hook payload from stdin and answers by Claude Code's hook contract.

import { readFileSync } from 'node:fs';

/** The payload does not say what this hook has to know; the message completes a sentence. */
export class Unreadable extends Error {}

/** The payload as an object; throws Unreadable. */
export function readPayload() {
  let payload;
  try {
    payload = JSON.parse(readFileSync(0, 'utf8').replace(/^\uFEFF/, ''));
  } catch {
    throw new Unreadable('the payload is not readable JSON');
  }
  if (!isObject(payload)) throw new Unreadable('the payload is not a JSON object');
  return payload;
}

/** The tool's arguments; a call without any has an empty object. */
export function toolInput(payload) {
  const input = payload.tool_input ?? {};
  if (!isObject(input)) throw new Unreadable('tool_input is not an object');
  return input;
}

/** The text of one argument, undefined when it is absent. */
export function textField(input, name) {
  const value = input[name] ?? undefined;
  if (value !== undefined && typeof value !== 'string') throw new Unreadable(`tool_input.${name} is not text`);
  return value;
}

/** The session's folder, undefined when the payload does not name one. */
export function workingDirectory(payload) {
  return typeof payload.cwd === 'string' && payload.cwd !== '' ? payload.cwd : undefined;
}

/** A name from the payload, fit for a sentence: short, on one line, valid Unicode. */
export function shown(text) {
  const clean = text.slice(0, 120).replace(/\p{C}/gu, '?');
  return text.length > 120 ? `${clean}...` : clean;
}

/** Answers with one JSON document in ASCII. */
export function answer(hookSpecificOutput) {
  const json = JSON.stringify({ hookSpecificOutput });
  process.stdout.write(json.replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`));
}

/** Runs `decide(payload)`; it returns undefined, or the reason for a denial. */
export function gate(name, decide) {
  let reason;
  try {
    reason = decide(readPayload());
  } catch (fault) {
    const what = fault instanceof Unreadable ? fault.message : `${fault?.name} inside the hook`;
    process.stderr.write(`${name} cannot check this call: ${what}. Send it again in a simpler form, or tell the user.\n`);
    process.exitCode = 2; // any other code lets some hosts run the tool
    return;
  }
  if (reason !== undefined) {
    answer({ hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: reason });
  }
}

function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
