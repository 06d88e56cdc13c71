//! Table of the formats in which models write calls as text: opening mark, arguments, closing mark. `docs/toolcalls.md`
//! is generated from it.

mod rows;

pub use rows::FAMILIES;

#[derive(Debug)]
pub struct Family {
    pub name: &'static str,
    /// Marks that begin a call. Empty for a format without marks, which is recognised by its structure.
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
    /// The closing mark is optional. Without it, the call ends after its value.
    Free,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// JSON that contains the tool's name: an object, a list, or several objects.
    Values,
    /// Marks around JSON, pairs of key and value, Python, or tags of another family.
    Wrapper,
    /// The name, followed by the arguments as a JSON object.
    Named(Naming),
    /// `<function=NAME>` or `<invoke name="NAME">` with one tag per argument.
    Tagged(Tags),
    /// Calls in Python syntax, in a list or one on each line.
    Python,
    /// `call:NAME{key:value}`. The text of the variant is the mark around strings.
    Braced(&'static str),
    Fence(Fenced),
    Whole,
    /// A tag that has the name of a tool, and contains one tag for each argument.
    ToolTag,
    /// `NAME">` and one tag for each argument. The text of the variant precedes each tag. A list is written as several
    /// `<item>` tags, and an object as nested tags.
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

/// Kind of a code fence that contains a call. The tag after the backticks determines the kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fenced {
    /// A fence with the tag `json` or without a tag. Counts as a call only if the whole answer consists of such fences.
    Json,
    /// A fence with the tag `tool_call` or a similar tag. Prose may precede the fence.
    Call,
    /// A fence with the tag `tool_code`, with calls in Python syntax.
    Code,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tags {
    pub argument: &'static str,
    pub argument_close: &'static str,
    pub call_close: &'static str,
    pub encoding: ValueEncoding,
}

/// Encoding of a value inside tags. The formats are not XML, so entities are not decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueEncoding {
    /// The value. One line break at its start and one at its end are removed, if present.
    Lines,
    /// The value. The line breaks at its start and end are removed, but only if both are present.
    Block,
    Plain,
    /// The value is in a separate tag after the tag with its key. If the schema does not contain the key, the value is
    /// parsed as JSON if possible.
    Pairs,
}

/// Tags for pairs of key and value, as written by GLM and similar models. The marks around a call are the same as in
/// the Hermes format.
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

/// Separator between the name and the pairs in Hunyuan's format.
pub(super) const NAME_SEP: &str = "<tool_sep>";

/// Mark before each tag in MiniMax M3's format.
pub(super) const MINIMAX_MARK: &str = "]<]minimax[>[";

/// Marks around calls. Removed from the text even without a call.
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

/// Marks that are removed only after a call. Elsewhere in an answer, such text may be intended.
pub(super) const RESIDUE_BEHIND_CALLS: &[&str] = &[
    "</s>",
    "</function>",
    "</invoke>",
    "<|endoftext|>",
    "<|end|>",
    "<|return|>",
];

/// Tokens that end an answer. The model invents the text after them, as a turn of another role.
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
    // These tokens start a turn of another role. They also end an answer whose end token is missing.
    "<|im_start|>",
    "<|start_header_id|>",
    "<start_of_turn>",
    "<|user|>",
    "<|observation|>",
    "<｜User｜>",
];

/// Chat template headers that a model may repeat at the beginning of its answer.
pub(super) const HEADERS: &[&str] = &[
    "<|im_start|>assistant\n",
    "<|start_header_id|>assistant<|end_header_id|>\n\n",
    "<start_of_turn>model\n",
    "<|assistant|>",
    "<｜Assistant｜>",
];

/// Closing tags of reasoning. The opening tag may be missing, because some chat templates put it at the end of the
/// prompt.
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

/// Marks around quoted tool results. Calls inside them are not run.
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
