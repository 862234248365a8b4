import { Group, Stack } from "@mantine/core";
import { IconAlertTriangle, IconPlus, IconX } from "@tabler/icons-react";
import { createContext, type ReactNode, useContext, useId, useRef, useState } from "react";
import { Button, IconButton } from "../../components/button.tsx";
import { Icon } from "../../components/icon.tsx";
import { Origin } from "../../components/origin.tsx";
import { Segmented } from "../../components/tabs.tsx";
import type { RequestCheck } from "../../domain/exchange/request-check.ts";
import { type Path, pointerOf, valueAt } from "../../lib/json-text.ts";
import { type Field, type Fields, fieldWords, numberTyped, startingValue, startOf } from "./fields.ts";
import styles from "./form.module.css";
import { PickInput } from "./pick-input.tsx";

type Finding = RequestCheck["findings"][number];

interface Form {
  readonly operation: string;
  readonly value: unknown;
  /** What stands at a path, as it is written in the JSON: `0.0` stays `0.0`. */
  readonly writtenAt: (path: Path) => string | undefined;
  readonly findings: readonly Finding[];
  readonly pointer: string | null;
  readonly onPointer: (pointer: string) => void;
  /** Writes a value at a path; undefined takes it away. `order` is that of the fields beside it. */
  readonly onWrite: (path: Path, value: unknown, order?: readonly string[]) => void;
}

const FormContext = createContext<Form | null>(null);
const useForm = (): Form => {
  const form = useContext(FormContext);
  if (form === null) throw new Error("a field outside of a form");
  return form;
};

/** Of a sentence that begins with the field's path the rest, which is shown beside the field. */
const saidOf = ({ pointer, message }: Finding): string => message.replace(`${pointer} `, "");

const Faults = ({ of, id }: { of: readonly Finding[]; id: string }) =>
  of.length === 0 ? null : (
    <Stack component="span" gap={2} id={id}>
      {of.map((one) => (
        <span key={one.message} className={styles.fault}>
          <Icon of={IconAlertTriangle} size={14} />
          <span>
            {saidOf(one)} <span className="m11">{one.pointer}</span>
          </span>
        </span>
      ))}
    </Stack>
  );

interface InputProps {
  readonly field: Field;
  readonly path: Path;
  readonly label: string;
  readonly isWrong: boolean;
  readonly describedBy: string | undefined;
}

const Text = ({ field, path, label, isWrong, describedBy }: InputProps) => {
  const { operation, value: body, writtenAt, onWrite, onPointer } = useForm();
  const value = valueAt(body, path);
  const written = typeof value === "string" ? value : writtenAt(path);
  const write = (text: string) => onWrite(path, field.kind === "number" ? numberTyped(text) : text);
  return (
    <PickInput
      operation={operation}
      path={path}
      body={body}
      label={label}
      value={value === null ? "" : (written ?? "")}
      isWrong={isWrong}
      describedBy={describedBy}
      isMono={field.kind === "number" || field.takes.startsWith("UUID")}
      onFocus={() => onPointer(pointerOf(path))}
      onChange={write}
    />
  );
};

const Choices = ({
  path,
  label,
  choices,
  value,
}: {
  path: Path;
  label: string;
  choices: readonly unknown[];
  value: unknown;
}) => {
  const { onWrite, onPointer } = useForm();
  const options = choices.map((one) => ({ value: String(one), label: String(one) }));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only notes which field has the focus
    // biome-ignore lint/a11y/noNoninteractiveElementInteractions: the same
    <span onFocus={() => onPointer(pointerOf(path))} className={styles.choices}>
      <Segmented
        label={label}
        options={options}
        value={String(value)}
        onChange={(next) =>
          onWrite(
            path,
            choices.find((one) => String(one) === next),
          )
        }
      />
    </span>
  );
};

/** A list may have thousands of items, and each as many fields as a form. */
const SHOWN = 8;

/** Keys that stay with the items of a list when one before them is taken away. */
const useItemKeys = (count: number) => {
  const [kept, setKept] = useState<readonly number[]>([]);
  const next = useRef(0);
  // Items are also added and taken away in the JSON.
  const keys = kept.slice(0, count);
  while (keys.length < count) keys.push(next.current++);
  if (keys.length !== kept.length) setKept(keys);
  return { keys, drop: (index: number) => setKept(keys.toSpliced(index, 1)) };
};

const List = ({ path, item, label }: { path: Path; item: Field; label: string }) => {
  const { value: body, findings, pointer, onWrite, onPointer } = useForm();
  const [most, setMost] = useState(SHOWN);
  const value = valueAt(body, path);
  const items: readonly unknown[] = Array.isArray(value) ? value : [];
  const last = items.length;
  const { keys, drop } = useItemKeys(last);
  const adding = useRef<HTMLSpanElement>(null);
  const isAt = (index: number, at: string): boolean => `${at}/`.startsWith(`${pointerOf([...path, index])}/`);
  const isAsked = (index: number): boolean => pointer !== null && isAt(index, pointer);
  const [fault] = findings;
  const shown = [...items.keys()].filter(
    (index) => index < most || isAsked(index) || (fault !== undefined && isAt(index, fault.pointer)),
  );
  return (
    <div className={styles.list}>
      {shown.map((index) => (
        <div key={keys[index]}>
          <FieldLine
            name={String(index)}
            field={item}
            path={[...path, index]}
            label={`${label.replace(/s$/, "")} ${index + 1}`}
            onTake={() => {
              // The button that was pressed goes with its item.
              adding.current?.querySelector("button")?.focus();
              drop(index);
            }}
          />
        </div>
      ))}
      {shown.length < last && (
        <span className="t12 t2">
          {shown.length} of {last} shown{" "}
          <Button small look="quiet" onClick={() => setMost(most + SHOWN)}>
            Show more
          </Button>
        </span>
      )}
      <span ref={adding}>
        <Button
          small
          icon={IconPlus}
          onClick={() => {
            onWrite([...path, last], startingValue(item));
            onPointer(pointerOf([...path, last]));
          }}
        >
          Add one
        </Button>
      </span>
    </div>
  );
};

/** Exactly one of several objects, by the field that tells them apart. */
const Variants = ({ path, variants, label }: { path: Path; variants: readonly Fields[]; label: string }) => {
  const { value: body, onWrite } = useForm();
  const value = valueAt(body, path);
  const keyOf = (fields: Fields): string => [...fields].find(([, { required }]) => required)?.[0] ?? "";
  const isThere = (key: string) => typeof value === "object" && value !== null && Object.hasOwn(value, key);
  const chosen = variants.find((fields) => isThere(keyOf(fields))) ?? variants[0];
  if (chosen === undefined) return null;
  return (
    <>
      <Segmented
        label={`${label}, by`}
        options={variants.map((fields) => ({ value: keyOf(fields), label: fieldWords(keyOf(fields)) }))}
        value={keyOf(chosen)}
        onChange={(key) => onWrite(path, startOf(variants.find((one) => keyOf(one) === key) ?? chosen))}
      />
      <FieldLines fields={chosen} path={path} />
    </>
  );
};

const JsonHint = ({ path }: { path: Path }) => {
  const { writtenAt, onPointer } = useForm();
  return (
    <span className={styles.hint}>
      <code className="m11 el">{writtenAt(path)}</code>
      <button type="button" className="lnk t11" onClick={() => onPointer(pointerOf(path))}>
        edit it in the JSON
      </button>
    </span>
  );
};

const Input = (props: InputProps) => {
  const { field, path, label } = props;
  const { value: body } = useForm();
  const value = valueAt(body, path);
  if (value === null) return null;
  switch (field.kind) {
    case "choice":
      return field.choices.length > 5 ? (
        <Text {...props} />
      ) : (
        <Choices path={path} label={label} choices={field.choices} value={value} />
      );
    case "yesno":
      return <Choices path={path} label={label} choices={[true, false]} value={value} />;
    case "object":
      return <FieldLines fields={field.fields} path={path} />;
    case "variants":
      return <Variants path={path} variants={field.variants} label={label} />;
    case "list":
      return <List path={path} item={field.item} label={label} />;
    case "json":
      return <JsonHint path={path} />;
    default:
      return <Text {...props} />;
  }
};

const isNested = ({ kind }: Field): boolean => kind === "object" || kind === "variants" || kind === "list";

const Sides = ({ field, path, label, onTake }: Pick<LineProps, "field" | "path" | "label" | "onTake">) => {
  const { value: body, onWrite } = useForm();
  const isNull = valueAt(body, path) === null;
  const isItem = onTake !== undefined;
  return (
    <>
      {field.nullable && (
        <button
          type="button"
          className={styles.null}
          aria-pressed={isNull}
          aria-label={`${label}: null`}
          onClick={() => onWrite(path, isNull ? startingValue(field) : null)}
        >
          null
        </button>
      )}
      {(isItem || !field.required) && (
        <IconButton
          small
          icon={IconX}
          label={isItem ? `Take ${label} away` : `Leave ${label} out`}
          onClick={() => {
            onTake?.();
            onWrite(path, undefined);
          }}
        />
      )}
    </>
  );
};

interface LineProps {
  readonly name: string;
  readonly field: Field;
  readonly path: Path;
  readonly label: string;
  /** Of an item of a list: it is about to be taken away. */
  readonly onTake?: (() => void) | undefined;
}

/** A field that is there, or that must be: its words, what it takes, its value, and what is wrong with it. */
const FieldLine = ({ name, field, path, label, onTake }: LineProps) => {
  const isItem = onTake !== undefined;
  const { findings, pointer } = useForm();
  const id = useId();
  const here = pointerOf(path);
  const own = findings.filter((one) => one.pointer === here);
  const isWrong = own.length > 0;
  const nested = isNested(field);
  const input: InputProps = { field, path, label, isWrong, describedBy: isWrong ? id : undefined };
  const head: ReactNode = (
    <span className={`grow ${styles.head}`} title={field.description}>
      <b>{label}</b>
      {!isItem && <span className="m11 t3 el">{name}</span>}
      {field.decisions.map((one) => (
        <Origin key={one} of="assumption" id={one} />
      ))}
      <span className={styles.takes}>
        {field.required && !isItem && <em>required</em>}
        <span className="el">{field.takes}</span>
      </span>
    </span>
  );
  const className = [styles.field, pointer === here && styles.current, isWrong && styles.wrong]
    .filter(Boolean)
    .join(" ");
  const content = nested ? (
    <>
      <Group component="span" gap={6} align="flex-start" wrap="nowrap">
        {head}
        <Sides {...{ field, path, label, onTake }} />
      </Group>
      <div className={styles.nested}>
        <Input {...input} />
      </div>
    </>
  ) : (
    <>
      {head}
      <Group component="span" gap={6} align="flex-start" wrap="nowrap">
        <Input {...input} />
        <Sides {...{ field, path, label, onTake }} />
      </Group>
    </>
  );
  return (
    <div className={className} data-pointer={here}>
      {content}
      <Faults of={own} id={id} />
    </div>
  );
};

/** The fields of an object: those that are there or must be, and the rest to be put in. */
const FieldLines = ({ fields, path }: { fields: Fields; path: Path }) => {
  const { operation: whole, value: body, onWrite, onPointer } = useForm();
  // Only what stands at the top is what the call is about.
  const operation = path.length === 0 ? whole : null;
  const order = [...fields.keys()];
  const isShown = ([name, field]: readonly [string, Field]) =>
    field.required || valueAt(body, [...path, name]) !== undefined;
  const left = [...fields].filter((one) => !isShown(one));
  const putIn = (name: string, field: Field) => {
    onWrite([...path, name], startingValue(field), order);
    onPointer(pointerOf([...path, name]));
  };
  return (
    <>
      {[...fields].filter(isShown).map(([name, field]) => (
        <FieldLine key={name} name={name} field={field} path={[...path, name]} label={fieldWords(name, operation)} />
      ))}
      {left.length > 0 && (
        <div className={`row wrap ${styles.left}`}>
          <span className="t12 t3">Left out</span>
          {left.map(([name, field]) => (
            <Button key={name} small icon={IconPlus} title={name} onClick={() => putIn(name, field)}>
              {fieldWords(name, operation)}
            </Button>
          ))}
        </div>
      )}
    </>
  );
};

/** A body as a form; what it changes is written into the JSON, and what is wrong can be sent as well. */
export const BodyForm = ({
  fields,
  isStale,
  ...form
}: Form & { readonly fields: Fields; readonly isStale: boolean }) => (
  <FormContext value={form}>
    <fieldset className={styles.form} disabled={isStale}>
      <legend className="sr">Fields of the body</legend>
      {fields.size === 0 ? (
        <p className="t12 t2">This operation has no fields.</p>
      ) : (
        <FieldLines fields={fields} path={[]} />
      )}
    </fieldset>
  </FormContext>
);
