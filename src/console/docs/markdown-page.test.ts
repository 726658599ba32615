import { expect, test } from 'bun:test';
import { namesOf } from '../../base/lib/names.ts';
import { partial } from '../../base/lib/testing/partial.ts';
import { Type } from '../../base/schema/type.ts';
import type { Route } from '../../edge/http/route.ts';
import { Catalog } from '../../settings/catalog/catalog.ts';
import type { Snapshot } from '../../settings/snapshot/snapshot.ts';
import { markdownPage } from './markdown-page.ts';

const snapshot = partial<Snapshot>({
  names: namesOf('svc'),
  catalog: new Catalog({ entries: [], spellings: new Map(), bridges: new Map() }),
});

const text = Type.Object({ type: Type.Literal('text'), text: Type.String() });
const image = Type.Object({ type: Type.Literal('image'), url: Type.String() });

test('the Markdown reference has the fields of forms and of each kind of object', () => {
  const routes: Route[] = [
    {
      method: 'POST',
      path: '/v1/things',
      describe: {
        summary: 'Makes a thing',
        form: { schema: Type.Object({ file: Type.String({ format: 'binary' }) }), example: ['file=@a.wav'] },
        body: Type.Object({ parts: Type.Array(Type.Union([text, image])) }),
      },
      handle: () => ({ status: 200, body: null }),
    },
  ];
  const page = markdownPage({ routes, snapshot }).text;
  expect(page).toContain('| form field | type | required | description |');
  expect(page).toContain('| `file` | string | yes |  |');
  expect(page).toContain('| `parts[].text` (type: "text") | string | yes |  |');
  expect(page).toContain('| `parts[].url` (type: "image") | string | yes |  |');
});
