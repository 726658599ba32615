import { expect, test } from 'bun:test';
import { hashKey } from '../../money/accounts/key-format.ts';
import { PostgresInstallation } from '../../store/postgres/postgres-installation.ts';
import { ensureFirstToken } from './ensure-first-token.ts';
import { type StartingNode, startingNodes } from './testing/starting-nodes.ts';

const nodes = startingNodes();

const tokenAt = ({ installation, files }: StartingNode, configured: string | null = null) =>
  ensureFirstToken({ configured, files, installation });

test('one of several nodes that start together makes the admin token and writes its file', async () => {
  const tokens = await Promise.all(nodes.map((node) => tokenAt(node)));
  const texts = tokens.flatMap(({ text }) => text ?? []);
  expect(texts).toHaveLength(1);
  expect(new Set(tokens.map(({ hash }) => hash))).toEqual(new Set([hashKey(texts[0]!)]));
  expect(nodes.flatMap(({ files }) => files.read('admin-token') ?? [])).toEqual(texts);
  expect(nodes.filter(({ files }) => files.exists('admin-token'))).toHaveLength(1);
  expect(await Promise.all(nodes.map((node) => tokenAt(node)))).toEqual(tokens);
});

test('workers that share a data directory know the same admin token', async () => {
  const { files } = nodes[0]!;
  const tokens = await Promise.all(nodes.map((node) => tokenAt({ ...node, files })));
  expect(new Set(tokens.map(({ text }) => text))).toEqual(new Set([files.read('admin-token')]));
  expect(tokens[0]!.text).toStartWith('tga_');
});

test('a configured admin token counts on its node and is not the one of the installation', async () => {
  const [node, other] = nodes;
  const configured = 'a-configured-token';
  expect(await tokenAt(node!, configured)).toEqual({ hash: hashKey(configured), text: configured });
  expect(node!.files.read('admin-token')).toBe(configured);
  const { hash, text } = await tokenAt(other!);
  expect(text).toStartWith('tga_');
  // Without the setting, the file of this node has another token than the installation.
  expect(await tokenAt(node!)).toEqual({ hash, text: undefined });
});

test('a start that was interrupted after the file was written completes with the token of the file', async () => {
  const [node, other] = nodes;
  await node!.files.write('admin-token', 'tga_from-the-interrupted-start');
  const { text } = await tokenAt(node!);
  expect(text).toBe('tga_from-the-interrupted-start');
  expect(await new PostgresInstallation(other!.database).adminTokenHash()).toBe(hashKey(text!));
});
