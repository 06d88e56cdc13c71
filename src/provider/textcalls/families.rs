//! Table of textual call formats: opening mark, arguments, closing mark. The table of `docs/toolcalls.md` is generated from it.

mod rows;

pub use rows::FAMILIES;

#[derive(Debug)]
pub struct Family {
    pub name: &'static str,
    /// Empty if only the shape identifies a call.
    pub opens: &'static [&'static str],
    pub closes: &'static [&'static str],
    pub closing: Closing,
    pub form: Form,
    pub example: &'static str,
    pub models: &'static str,
}

impl Family {
    pub(crate) fn is_marked(&self) -> bool {
        !self.opens.is_empty()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Closing {
    Needed,
    /// Optional: the end-of-answer token, or none.
    Free,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// JSON with the name: an object, a list, or several.
    Values,
    /// Any form: JSON, pairs, Python, or tags of another family.
    Wrapper,
    /// The name, then the arguments as a JSON object.
    Named(Naming),
    /// `<function=NAME>` or `<invoke name="NAME">` with one tag per argument.
    Tagged(Tags),
    /// Python calls, in a list or one per line.
    Python,
    /// `call:NAME{key:value}` with marks around texts.
    Braced(&'static str),
    Fence(Fenced),
    /// The whole answer is the call, without marks.
    Whole,
    /// A tag with the name of a tool, containing one tag per argument.
    ToolTag,
    /// `NAME">` and one tag per argument, each after this mark. Lists are repeated `<item>`, objects are nested tags.
    Nested(&'static str),
}

/// Format of the name before a JSON object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Naming {
    /// `NAME`, `NAME[ARGS]`, `NAME[CALL_ID]id[ARGS]`, or a list of JSON objects.
    Mistral,
    /// `KIND<sep>NAME` and a fence, or `NAME<sep>`.
    DeepSeek,
    /// `functions.NAME:0<|tool_call_argument_begin|>`.
    Kimi,
    /// `commentary to=functions.NAME <|constrain|>json<|message|>`.
    Harmony,
}

/// Fence labels that identify a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fenced {
    /// `json` or none, if call fences are the whole answer.
    Json,
    /// `tool_call` and similar. Prose may precede it.
    Call,
    /// `tool_code` with Python calls.
    Code,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tags {
    pub argument: &'static str,
    pub argument_close: &'static str,
    pub call_close: &'static str,
    pub encoding: ValueEncoding,
}

/// Encoding of values in tags. No form is XML, and their own parsers do not decode entities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueEncoding {
    /// One line break at either end is removed.
    Lines,
    /// Verbatim, except for a line break at both ends.
    Block,
    Plain,
    /// Key and value in separate tags. Values without a schema are parsed as JSON if possible.
    Pairs,
}

/// Pairs of GLM and similar models, within the marks of Hermes.
pub(super) const PAIRS: Tags = Tags {
    argument: "<arg_key>",
    argument_close: "</arg_value>",
    call_close: "</tool_call>",
    encoding: ValueEncoding::Pairs,
};

pub(super) const IFM_PAIRS: Tags = Tags {
    argument: "<ifm|arg_key>",
    argument_close: "</ifm|arg_value>",
    call_close: "</ifm|tool_call>",
    encoding: ValueEncoding::Pairs,
};

#[derive(Debug, Clone, Copy)]
pub(super) struct PairMarks {
    pub(super) key_close: &'static str,
    pub(super) type_open: &'static str,
    pub(super) type_close: &'static str,
    pub(super) value_open: &'static str,
}

impl Tags {
    pub(super) fn pair_marks(self) -> PairMarks {
        if self.argument == IFM_PAIRS.argument {
            return PairMarks {
                key_close: "</ifm|arg_key>",
                type_open: "<ifm|arg_type>",
                type_close: "</ifm|arg_type>",
                value_open: "<ifm|arg_value>",
            };
        }
        PairMarks {
            key_close: "</arg_key>",
            type_open: "<arg_type>",
            type_close: "</arg_type>",
            value_open: "<arg_value>",
        }
    }
}

/// Separator between name and pairs of Hunyuan.
pub(super) const NAME_SEP: &str = "<tool_sep>";

/// Mark before each tag of MiniMax M3.
pub(super) const MINIMAX_MARK: &str = "]<]minimax[>[";

/// Marks around calls, which are never shown.
pub(super) const RESIDUE: &[&str] = &[
    "</tool_call>",
    "</tool_calls>",
    "</tools>",
    "</function_calls>",
    "<ifm|tool_calls>",
    "</ifm|tool_calls>",
    "</ifm|tool_call>",
    "]<]minimax[>[<tool_call>",
    "]<]minimax[>[</tool_call>",
    "</dots_function_call>",
    "<steptml:tool_calls>",
    "</steptml:tool_calls>",
    "<atem:function_calls>",
    "</atem:function_calls>",
    "<minimax:tool_call>",
    "</minimax:tool_call>",
    "<seed:tool_call>",
    "</seed:tool_call>",
    "<｜DSML｜function_calls>",
    "</｜DSML｜function_calls>",
    "<｜DSML｜tool_calls>",
    "</｜DSML｜tool_calls>",
    "<｜tool▁calls▁begin｜>",
    "<｜tool▁calls▁end｜>",
    "<｜tool▁call▁end｜>",
    "<｜tool_call_end｜>",
    "<｜tool_calls_begin｜>",
    "<｜tool_calls_end｜>",
    "<|tool_calls_section_begin|>",
    "<|tool_calls_section_end|>",
    "<|tool_call_section_begin|>",
    "<|tool_call_section_end|>",
    "<|tool_call_end|>",
    "<|eom_id|>",
    "<|eot_id|>",
    "<|im_end|>",
    "<｜end▁of▁sentence｜>",
];

/// Marks that are removed only after a call. Elsewhere they may be intended text.
pub(super) const RESIDUE_BEHIND_CALLS: &[&str] = &[
    "</s>",
    "</function>",
    "</invoke>",
    "<|endoftext|>",
    "<|end|>",
    "<|return|>",
];

/// End-of-answer tokens. Text after one is an invented turn.
pub(super) const ENDS: &[&str] = &[
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|end_of_text|>",
    "<|endoftext|>",
    "<|end|>",
    "<|eot|>",
    "<|eom|>",
    "<|return|>",
    "<|end_of_turn|>",
    "<|END_OF_TURN_TOKEN|>",
    "<end_of_turn>",
    "<｜end▁of▁sentence｜>",
    // Turns of others, whose preceding end was lost.
    "<|im_start|>",
    "<|start_header_id|>",
    "<start_of_turn>",
    "<|user|>",
    "<|observation|>",
    "<｜User｜>",
];

/// Template headers that a model repeats before an answer.
pub(super) const HEADERS: &[&str] = &[
    "<|im_start|>assistant\n",
    "<|start_header_id|>assistant<|end_header_id|>\n\n",
    "<start_of_turn>model\n",
    "<|assistant|>",
    "<｜Assistant｜>",
];

/// Closing tags of reasoning. Without an opening tag, the template opened it.
pub(super) const THOUGHT_ENDS: &[&str] = &["</think>", "</seed:think>", "[/THINK]"];
pub(super) const THOUGHT_BEGINS: &[&str] = &["<think>", "<seed:think>", "[THINK]"];

pub(super) const HARMONY: &[&str] = &[
    "<|channel|>",
    "<|start|>",
    "<|message|>",
    "<|constrain|>",
    "<|call|>",
    "<|end|>",
    "<|return|>",
];

/// Marks around quoted text, in which calls do not count.
pub(super) const QUOTES: &[(&str, &str)] = &[
    ("<tool_response>", "</tool_response>"),
    ("<tool_result>", "</tool_result>"),
    ("<tool_results>", "</tool_results>"),
    ("<tool_output>", "</tool_output>"),
    ("<function_results>", "</function_results>"),
    ("<function_response>", "</function_response>"),
];

pub(super) fn find_family(fits: impl Fn(Form) -> bool) -> Option<&'static Family> {
    FAMILIES.iter().find(|family| fits(family.form))
}
