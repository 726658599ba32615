import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The place of a list of models in the types of a package. */
type ModelList = { file: string; type: string };

type Sdk = { name: string; isOfficial: boolean; lists: readonly ModelList[] };

const AI_TYPES = 'dist/index.d.ts';

const sdks: readonly Sdk[] = [
  {
    name: 'openai',
    isOfficial: true,
    lists: [
      { file: 'resources/shared.d.ts', type: 'AllModels' },
      { file: 'resources/shared.d.ts', type: 'ChatModel' },
      { file: 'resources/shared.d.ts', type: 'ResponsesModel' },
      { file: 'resources/embeddings.d.ts', type: 'EmbeddingModel' },
    ],
  },
  {
    name: '@anthropic-ai/sdk',
    isOfficial: true,
    lists: [{ file: 'resources/messages/messages.d.ts', type: 'Model' }],
  },
  {
    name: '@ai-sdk/openai',
    isOfficial: false,
    lists: [
      { file: AI_TYPES, type: 'openaiLanguageModelDefinitions' },
      { file: AI_TYPES, type: 'openaiEmbeddingModelEntries' },
    ],
  },
  {
    name: '@ai-sdk/anthropic',
    isOfficial: false,
    lists: [{ file: AI_TYPES, type: 'languageModelDefinitions' }],
  },
];

/** Models that need sound, pictures or a vendor's own search, which no endpoint of the gateway offers. */
const OTHER_USES = /audio|realtime|transcribe|tts|image|search-preview|computer-use/;

export type SdkModels = {
  /** The ids that the installed packages name, in alphabetical order. */
  ids: readonly string[];
  /** Official packages that are not installed. */
  absent: readonly string[];
  /** Lists that an installed package does not have. */
  unread: readonly string[];
};

/** Reads the model ids in the types of the SDKs that are installed in one of the folders or above it. */
export async function readSdkModels(folders: readonly string[]): Promise<SdkModels> {
  const ids = new Set<string>();
  const absent: string[] = [];
  const unread: string[] = [];
  for (const { name, isOfficial, lists } of sdks) {
    const root = await findPackage(name, folders);
    if (root === undefined) {
      if (isOfficial) absent.push(name);
      continue;
    }
    for (const { file, type } of lists) {
      const text = await readFile(join(root, file), 'utf8').catch(() => '');
      const modelIds = idsIn(text, type);
      if (modelIds.length === 0 && isOfficial) unread.push(`${type} of ${name}`);
      for (const id of modelIds) if (!OTHER_USES.test(id)) ids.add(id);
    }
  }
  return { ids: [...ids].sort(), absent, unread };
}

async function findPackage(name: string, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) {
    for (let at = folder; ; at = dirname(at)) {
      const root = join(at, 'node_modules', name);
      const isThere = await readFile(join(root, 'package.json')).then(
        () => true,
        () => false,
      );
      if (isThere) return root;
      if (dirname(at) === at) break;
    }
  }
  return undefined;
}

/** Returns the words of a union of texts, or the names of an object's members. */
export function idsIn(types: string, type: string): string[] {
  const union = new RegExp(`^export type ${type} =([^;]*);`, 'm').exec(types);
  if (union) return [...union[1]!.matchAll(/'([^']+)'/g)].map(([, id]) => id!);
  const members = new RegExp(`^declare const ${type}: \\{\\n([\\s\\S]*?)^\\};`, 'm').exec(types);
  return [...(members?.[1] ?? '').matchAll(/^ {2}(?:readonly )?'?([\w.-]+)'?:/gm)].map(([, id]) => id!);
}
