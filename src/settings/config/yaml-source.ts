import { LineCounter, parseDocument, type YAMLParseError, type YAMLWarning } from 'yaml';
import type { Environment } from '../../base/lib/environment.ts';
import { printable } from '../../base/schema/printable.ts';
import { convertNode, type PlacedProblem } from './convert-node.ts';
import { hidePlaceholders, showPlaceholders } from './placeholder.ts';
import { SECRET_FIELDS } from './secret-fields.ts';
import { keyOrItemAt, pathAt, type YamlPath } from './yaml-places.ts';

type YAMLParseFault = YAMLParseError | YAMLWarning;

export type Position = { line: number; column: number };
export type LocatedProblem = Position & { path: YamlPath; message: string };

/** A parsed YAML file with the positions of its parts. */
export type YamlSource = {
  value: unknown;
  problems: readonly LocatedProblem[];
  /** Returns the position of a part, or of the nearest existing ancestor of a missing part. */
  locate(path: YamlPath): Position;
  /** The texts of scalars that contain values from the environment, by path. */
  interpolated: ReadonlyMap<string, string>;
};

/** Removes the quoted text from a parser message, since it may contain a secret. */
const withoutQuotation = (message: string): string =>
  printable(showPlaceholders(message).replace(/: .*$/s, ''), 200);

/** A slip makes the parser misread the rest of the file, so only the first fault is reported. */
const firstOf = (faults: readonly YAMLParseFault[]): YAMLParseFault | undefined =>
  faults.toSorted((one, other) => one.pos[0] - other.pos[0])[0];

const NAME = /^[\w.@/:-]+$/;

/**
 * Shortens a path of a misread file: a part of a value can look like a key, and the value may be a secret.
 */
function presentable(path: YamlPath): YamlPath {
  const strange = path.findIndex((step) => typeof step === 'string' && !NAME.test(step));
  const secret = path.findIndex((step) => SECRET_FIELDS.has(step));
  const ends = [strange, secret + 1].filter((end) => end > 0);
  return strange === 0 ? [] : path.slice(0, Math.min(path.length, ...ends));
}

const withLowerStart = (message: string): string => message.charAt(0).toLowerCase() + message.slice(1);

/**
 * Parses YAML 1.2 (core schema) with the `${…}` placeholders filled in. Without an environment, placeholders
 * are plain text.
 */
export function readYaml(text: string, environment: Environment | null): YamlSource {
  const lines = new LineCounter();
  const document = parseDocument(hidePlaceholders(text), {
    lineCounter: lines,
    prettyErrors: false,
    version: '1.2',
  });
  const positionOf = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const root = document.contents;
  const fault = firstOf(document.errors) ?? firstOf(document.warnings);
  if (fault) {
    const path = presentable(pathAt(root, fault.pos[0]));
    const begin = fault.message.startsWith('Missing closing') ? keyOrItemAt(document, path) : fault.pos[0];
    const message = `is not valid YAML: ${withLowerStart(withoutQuotation(fault.message))}`;
    const problems = [{ path, message, ...positionOf(Math.min(begin, fault.pos[0])) }];
    return { value: undefined, problems, locate: () => positionOf(0), interpolated: new Map() };
  }
  const conversion = convertNode(root, { document, environment });
  const locate = (path: YamlPath): Position => positionOf(keyOrItemAt(document, path));
  const locateProblem = ({ path, message, offset }: PlacedProblem): LocatedProblem => ({
    path,
    message,
    ...(offset === undefined ? locate(path) : positionOf(offset)),
  });
  return {
    value: conversion.value,
    problems: conversion.problems.map(locateProblem),
    locate,
    interpolated: conversion.interpolated,
  };
}
