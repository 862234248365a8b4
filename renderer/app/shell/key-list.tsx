import { useSyncExternalStore } from "react";
import { Kbd } from "../../components/kbd.tsx";
import { keyGroups, subscribeKeys } from "../../lib/key-registry.ts";

/** The keys of the place in sight first, then lists, then the frame's. */
const order = ["Lists", "Everywhere", "Go to"];
const rankOf = (title: string) => order.indexOf(title);

/** Bindings by title; those with the same label are one line with all their keys. */
const listed = () => {
  const byTitle = new Map<string, Map<string, Set<string>>>();
  for (const { title, bindings } of keyGroups()) {
    const labels = byTitle.get(title) ?? new Map<string, Set<string>>();
    for (const { label, keys } of bindings) labels.set(label, new Set([...(labels.get(label) ?? []), ...keys]));
    byTitle.set(title, labels);
  }
  return [...byTitle]
    .map(([title, labels]) => ({
      title,
      bindings: [...labels].map(([label, keys]) => ({ label, keys: [...keys] })),
    }))
    .sort((a, b) => rankOf(a.title) - rankOf(b.title));
};

/** All keys that work here and now. */
export const KeyList = () => {
  useSyncExternalStore(subscribeKeys, keyGroups);
  return (
    <>
      <div className="key-help">
        {listed().map((group) => (
          <section key={group.title}>
            <h3 className="lbl">{group.title}</h3>
            <dl>
              {group.bindings.map((binding) => (
                <div key={binding.label} className="row">
                  <dt>{binding.label}</dt>
                  <dd className="row row-1">
                    {binding.keys.slice(0, 2).map((keys) => (
                      <span key={keys} className="row row-1 alt">
                        <Kbd keys={keys} />
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p className="t12 t3">
        Keys rest while you type, except those with <Kbd keys="mod" /> and Escape.
      </p>
    </>
  );
};
